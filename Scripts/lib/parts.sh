# Sourced by Scripts/gate and Scripts/verify after setup.sh. Runs parts one after the other, and prints a table of them at the end.

part_rows=()
failed_parts=0

# part NAME COMMAND...: runs a part. The next one runs even if it fails.
part() {
    local name=$1 started=$SECONDS verdict=passed
    shift
    say "== $name"
    "$@" </dev/null || verdict="failed ($?)"
    [ "$verdict" = passed ] || failed_parts=$((failed_parts + 1))
    part_rows+=("$(printf '%-24s %6d s  %s' "$name" "$((SECONDS - started))" "$verdict")")
}

# required_part NAME COMMAND...: as above, but without it the next ones make no sense. Exits with 2 if it fails.
required_part() {
    part "$@"
    [ "$failed_parts" -eq 0 ] || end_parts 2
}

# end_parts [STATUS]: prints the table and exits, with the status (1) if a part failed.
end_parts() {
    say "$(printf '%-24s %8s  %s' part time verdict)"
    say "$(printf '%s\n' "${part_rows[@]}")"
    say "$(printf '%-24s %6d s  %d failed' total "$SECONDS" "$failed_parts")"
    [ "$failed_parts" -eq 0 ] || exit "${1:-1}"
    exit 0
}
