# Sourced by Scripts/gate and Scripts/verify after setup.sh. Runs parts one after the other, and prints a table of them at the end.

part_rows=()
failed_parts=0
# The exit status of the last part.
status=0

# part NAME COMMAND...: runs a part. The next one runs even if it fails.
part() {
    local name=$1 started=$SECONDS verdict=passed
    shift
    say "== $name"
    status=0
    "$@" </dev/null || status=$?
    if [ "$status" -ne 0 ]; then
        verdict="failed ($status)"
        failed_parts=$((failed_parts + 1))
    fi
    part_rows+=("$(printf '%-24s %6d s  %s' "$name" "$((SECONDS - started))" "$verdict")")
}

# required_part NAME COMMAND...: as above, but without it the next ones make no sense. Exits with its status if it fails.
required_part() {
    part "$@"
    [ "$status" -eq 0 ] || end_parts "$status"
}

# end_parts [STATUS]: prints the table and exits, with the status (1) if a part failed.
end_parts() {
    say "$(printf '%-24s %8s  %s' part time verdict)"
    say "$(printf '%s\n' "${part_rows[@]}")"
    say "$(printf '%-24s %6d s  %d failed' total "$SECONDS" "$failed_parts")"
    [ "$failed_parts" -eq 0 ] || exit "${1:-1}"
    exit 0
}
