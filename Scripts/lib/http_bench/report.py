"""Formats the results as Markdown tables."""


def verdicts(rows: dict) -> list:
    """Returns a table of our figures, the best peer's and the targets."""
    lines = ["| work | a unit | ours | best peer's | ours / best | aimed at | |",
             "| --- | --- | ---: | ---: | ---: | ---: | --- |"]
    for name, row in rows.items():
        if "failure" in row:
            lines.append(f"| {name} | – | – | – | – | – | not measured: {row['failure'].splitlines()[0]} |")
            continue
        figure, servers = row["figure"], row["servers"]
        ours = next(iter(servers.values()))[figure]
        best = f"{amount(servers[row['best peer']][figure], figure)} ({row['best peer']})"
        aim = amount(row["aim"], figure) + (f" ({' or '.join(row['aim of'])})" if row["aim of"] else "")
        cells = [name, row["unit"], amount(ours, figure), best, f"{row['ratio']:.2f}", aim,
                 "reached" if row["reached"] else "**missed**"]
        lines.append(f"| {' | '.join(cells)} |")
    return lines


def work(rows: dict) -> list:
    """Returns a table of every server's processor time, rate and latency."""
    lines = ["| work | server | CPU µs a unit | ± | units/s | p50 ms | p99 ms | RSS MiB |",
             "| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |"]
    for name, row in rows.items():
        for server, one in row.get("servers", {}).items() if row.get("figure") == "cpu" else []:
            cells = [name, server, f"{one['cpu']:,.2f}", f"{one['spread']:.0%}", f"{one['rate']:,.0f}",
                     f"{one['p50'] / 1000:,.2f}", f"{one['p99'] / 1000:,.2f}", f"{one['resident'] / 2**20:,.1f}"]
            lines.append(f"| {' | '.join(cells)} |")
    return lines


def holdings(rows: dict) -> list:
    """Returns a table of every server's memory."""
    lines = ["| held | server | bytes a unit | RSS MiB |", "| --- | --- | ---: | ---: |"]
    for name, row in rows.items():
        for server, one in row.get("servers", {}).items() if row.get("figure") == "bytes" else []:
            lines.append(f"| {name} | {server} | {one['bytes']:,.0f} | {one['resident'] / 2**20:,.1f} |")
    return lines


def amount(value: float, figure: str) -> str:
    return f"{value:,.2f} µs" if figure == "cpu" else f"{value:,.0f} B"


def text(found: dict) -> str:
    names = ", ".join(f"{name} {version}" for name, version in found["versions"].items())
    parts = [verdicts(found["rows"])]
    parts += [table for table in (work(found["rows"]), holdings(found["rows"])) if len(table) > 2]
    return "\n\n".join(["\n".join(part) for part in parts] + [f"Measured with {names}."])
