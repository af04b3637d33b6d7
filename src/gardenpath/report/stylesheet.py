"""The stylesheet of the page, for light and dark screens and for print."""

STYLESHEET = """
:root { color-scheme: light dark;
  --paper: #ffffff; --ink: #1b1f24; --soft: #57606a; --line: #d0d7de; --band: #f4f6f8; --accent: #0b5cad;
  --hue0: #0072b2; --hue1: #d55e00; --hue2: #00805d; --hue3: #b8508c; --hue4: #a87400; --hue5: #1b1f24; }
@media (prefers-color-scheme: dark) {
  :root { --paper: #14171a; --ink: #e6e8eb; --soft: #a9b1ba; --line: #3a424b; --band: #1d2126; --accent: #7cb7ff;
    --hue0: #56b4e9; --hue1: #ff8a3c; --hue2: #2bc79b; --hue3: #e69ac4; --hue4: #f0c23c; --hue5: #e6e8eb; }
}
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1.5rem 1.25rem 4rem; max-width: 76rem; background: var(--paper); color: var(--ink);
  font: 16px/1.5 system-ui, sans-serif; }
h1 { line-height: 1.2; margin: 0.5rem 0 1rem; }
h2 { margin: 3rem 0 0.75rem; padding-top: 0.5rem; border-top: 1px solid var(--line); }
h3 { margin: 1.75rem 0 0.5rem; font-size: 1rem; }
p { max-width: 48rem; }
a { color: var(--accent); }
code { font: 0.92em ui-monospace, monospace; background: var(--band); padding: 0.05em 0.3em; border-radius: 3px; }
nav ul { display: flex; flex-wrap: wrap; gap: 0.25rem 1.25rem; padding: 0; margin: 1rem 0; list-style: none; }
.notice { border-left: 4px solid var(--hue1); background: var(--band); padding: 0.75rem 1rem; }
.scroll { overflow-x: auto; max-width: 100%; }
table { border-collapse: collapse; font-size: 0.875rem; font-variant-numeric: tabular-nums; }
th, td { padding: 0.25rem 0.75rem; text-align: left; vertical-align: top; border-bottom: 1px solid var(--line); }
thead th { border-bottom: 2px solid var(--soft); vertical-align: bottom; }
tbody th { font-weight: 600; background: var(--paper); white-space: nowrap; position: sticky; left: 0; }
.number { text-align: right; white-space: nowrap; position: relative; }
thead .number { white-space: normal; }
.dagger { position: absolute; font-weight: 600; }
.long { min-width: 15rem; max-width: 30rem; }
tbody tr:hover > * { background: var(--band); }
details { margin: 1rem 0; }
summary { cursor: pointer; color: var(--accent); }
figure { margin: 1.5rem 0; }
figcaption { max-width: 48rem; margin-bottom: 0.75rem; color: var(--soft); font-size: 0.9375rem; }
.plots { display: flex; flex-wrap: wrap; gap: 1.25rem 0.75rem; }
.plots > div { max-width: 100%; break-inside: avoid; }
#figure-learning .plots > :first-child { flex-basis: 100%; }
.plots h4 { margin: 0 0 0.25rem; font-size: 0.875rem; }
.plot { max-width: 100%; height: auto; fill: var(--ink); font-family: system-ui, sans-serif; }
.plot .title { fill: var(--soft); }
.plot .grid { stroke: var(--line); stroke-width: 0.75; }
.plot .axis, .plot .zero { stroke: var(--soft); }
.plot .zero { stroke-dasharray: 4 3; }
.plot .curve { fill: none; stroke: currentColor; stroke-width: 1.75; stroke-linejoin: round; }
.plot .bar, .plot .tick { stroke: currentColor; stroke-width: 1.75; }
.plot .tick { stroke-opacity: 0.65; }
.plot .leader { stroke: currentColor; stroke-width: 0.75; stroke-opacity: 0.6; }
.mark { fill: currentColor; stroke: currentColor; stroke-width: 1.6; }
.mark.hollow { fill: var(--paper); }
.key { position: sticky; bottom: 0; z-index: 1; max-height: 25vh; overflow-y: auto; padding: 0.25rem 0;
  background: var(--paper); border-top: 1px solid var(--line); }
.key ul { display: flex; flex-wrap: wrap; gap: 0.125rem 1rem; padding: 0; margin: 0.25rem 0; list-style: none;
  font-size: 0.8125rem; }
.key label { display: inline-flex; align-items: center; gap: 0.35rem; }
.key svg { flex: none; }
@media print {
  :root { --paper: #ffffff; --ink: #000000; --soft: #444444; --line: #bbbbbb; --band: #ffffff;
    --hue0: #0072b2; --hue1: #d55e00; --hue2: #00805d; --hue3: #b8508c; --hue4: #a87400; --hue5: #000000; }
  body { font-size: 10pt; max-width: none; padding: 0; }
  nav, .key input { display: none; }
  .key { position: static; }
  .scroll { overflow: visible; }
  table { font-size: 8pt; }
  th, td { padding: 1pt 4pt; }
}
"""


def hues(count: int) -> str:
    """Return the rules for the hue classes."""
    return "".join(f".h{i} {{ color: var(--hue{i}); }}\n" for i in range(count))


def switches(conditions: int) -> str:
    """Return the rules for the checkboxes of the legend.

    They show and hide conditions in all figures; pointing at a condition fades the others.
    """
    hide = "".join(f"body:has(#show-{i}:not(:checked)) .plot .s{i} {{ display: none; }}\n" for i in range(conditions))
    point = (f".plot:has(.s{i}:hover), body:has(.key label:hover #show-{i}) .plot" for i in range(conditions))
    pale = "".join(f":is({where}) g:not(.s{i}) {{ opacity: 0.2; }}\n" for i, where in enumerate(point))
    return hide + pale
