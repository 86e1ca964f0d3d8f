"""Replay a run: its panel over time, in a page that needs no kernel.

Nothing is recorded during the run. The panel is drawn from the event log, as it was drawn live. It
lacks data that the log does not contain: memory, processor use, and the last printed line.
"""

from __future__ import annotations

import json
import re
import uuid
from collections.abc import Iterator
from dataclasses import dataclass, replace
from html import escape

from mwtutor.colors import DARK, LIGHT
from mwtutor.display.panel import html
from mwtutor.display.panel.headline import report
from mwtutor.display.panel.panel import Panel
from mwtutor.display.panel.report import Report, Seen
from mwtutor.display.pictures import timeline
from mwtutor.display.words import duration
from mwtutor.exceptions import NoRun
from mwtutor.run.observations.curves import Course
from mwtutor.run.record import events
from mwtutor.run.record.eventlog import EventReader
from mwtutor.run.record.state import RunState, fold
from mwtutor.run.run import Run
from mwtutor.style_sheet import SHEET

#: Seconds between two frames, as in the live panel; and the maximum number of frames.
_INTERVAL, _MOST = 0.25, 400

#: Playback speeds, relative to the run.
_SPEEDS = (0.25, 0.5, 1, 2, 4, 16)

#: Where a frame is split into pieces that several frames share.
_PIECE = re.compile(r"(?=<(?:div|tr|pre|details)\b)")

#: An animated picture's width and line height in pixels, and characters per line.
_WIDTH, _LINE, _CHARACTERS = 880, 21, 118

#: Maximum frames of an animated picture (the file contains all), and seconds for the last one.
_PICTURES, _STAYS = 48, 4.0


@dataclass(frozen=True)
class Frame:
    """The panel from ``at`` (seconds since the run began) until the next frame."""

    at: float
    report: Report


class Recording:
    """A run's panel over time; displays itself in a notebook with a play button.

    Where scripts are disabled, it shows the end of the run.

    Args:
        run: a run that has begun; if it is still running, the recording ends now.

    Raises:
        NoRun: its event log does not say when it began.
    """

    def __init__(self, run: Run) -> None:
        self._run = run
        self.last = Panel.from_run(run)
        self.frames = tuple(_frames(run, self.last.content))
        if not self.frames:
            raise NoRun(f"{run.name} has not begun.", "Try again once the run has begun.")

    @property
    def name(self) -> str:
        """The run's name."""
        return self.last.content.name

    @property
    def seconds(self) -> float:
        """The run's duration, so far if it is still running."""
        return self.frames[-1].at

    def __repr__(self) -> str:
        return repr(self.last)

    def _repr_html_(self) -> str:
        content = replace(self._run.timeline(), steps=None)
        drawn = timeline.as_svg(self.name, content)
        pieces: dict[str, int] = {}
        frames = [
            [round(frame.at, 2), [pieces.setdefault(piece, len(pieces)) for piece in cut]]
            for frame in self.frames
            for cut in [_PIECE.split(_bare(frame.report))]
        ]
        data = {"pieces": list(pieces), "frames": frames, "place": timeline.place(content)}
        # Nothing in a script may look like its end tag.
        written = json.dumps(data).replace("<", "\\u003c")
        speeds = "".join(
            f'<option value="{speed:g}"{" selected" * (speed == 1)}>{speed:g}x</option>'
            for speed in _SPEEDS
        )
        name = f"mw-{uuid.uuid4().hex}"
        label = escape(f"{self.name}, {duration(self.seconds)}")
        return (
            f'<div class="mwtutor mw-recording" id="{name}">{SHEET}'
            '<div class="mw-player" hidden><button type="button">▶ Play</button> '
            f'<input type="range" min="0" max="{self.seconds:.2f}" step="0.01"'
            f' value="{self.seconds:.2f}" aria-label="time of {label}"> '
            f'<select aria-label="speed">{speeds}</select> <span></span></div>'
            f'<div class="mw-frame">{html.render(self.last.content)}</div>{drawn}</div>'
            f"<script>({_PLAYER})({json.dumps(name)},{written})</script>"
        )

    def page(self) -> bytes:
        """A self-contained page."""
        title = escape(f"{self.name}: {self.last.content.state}")
        return (
            '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8">'
            '<meta name="viewport" content="width=device-width, initial-scale=1">'
            f"<title>{title}</title><style>{_PAGE}</style></head>"
            f"<body><main><h1>{title}</h1>{self._repr_html_()}</main></body></html>"
        ).encode()

    def picture(self) -> bytes:
        """An animated SVG file without a script, which plays wherever pictures are shown."""
        every = max(1, -(-len(self.frames) // _PICTURES))
        shown = [*self.frames[:-1:every], self.frames[-1]]
        until = [frame.at for frame in shown[1:]] + [self.seconds + _STAYS]
        total = until[-1]
        rules, drawn = [], []
        for number, (frame, end) in enumerate(zip(shown, until, strict=True)):
            begin, after = (100 * at / total for at in (frame.at if number else 0.0, end))
            last = "hidden" if after < 100 else "visible"
            rules.append(
                f"@keyframes f{number}{{0%,{begin:.3f}%{{visibility:hidden}}"
                f"{begin + 0.001:.3f}%,{after:.3f}%{{visibility:visible}}"
                f"{min(after + 0.001, 100):.3f}%,100%{{visibility:{last}}}}}"
                f".f{number}{{animation:f{number} {total:.2f}s step-end infinite}}"
            )
            drawn.append(
                f'<foreignObject class="f f{number}" width="100%" height="100%">'
                f'<div xmlns="http://www.w3.org/1999/xhtml">{_as_xml(frame.report)}</div>'
                "</foreignObject>"
            )
        height = max(_height(frame.report) for frame in shown)
        style = SHEET.removeprefix("<style>").removesuffix("</style>") + _ALONE + "".join(rules)
        label = escape(f"{self.name}: {self.last.content.state}")
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{_WIDTH}" height="{height}"'
            f' viewBox="0 0 {_WIDTH} {height}" role="img" aria-label="{label}">'
            f"<style>{escape(style, quote=False)}</style>{''.join(drawn)}</svg>"
        ).encode()


def _frames(run: Run, last: Report) -> Iterator[Frame]:
    """The frames that differ from the one before; the last one shows the run's current state."""
    records = EventReader(run.spec.events).read()
    began = next((one["t"] for one in records if one["event"] == events.RunStarted.kind), None)
    if began is None:
        return
    ended = run.state.ended or records[-1]["t"]
    interval = max(_INTERVAL, (ended - began) / _MOST)
    state, course = RunState(), Course()
    place, before = 0, None
    for number in range(int((ended - began) / interval) + 1):
        then = began + number * interval
        begin = place
        while place < len(records) and records[place]["t"] <= then:
            place += 1
        state = fold(state, records[begin:place])
        course.take(records[begin:place])
        seen = report(run.spec, state, Seen(course, then=then))
        if state.outcome is None and seen != before:
            yield Frame(then - began, seen)
            before = seen
    yield Frame(ended - began, last)


def _bare(content: Report) -> str:
    """A frame without the style sheet, which all frames share."""
    return html.render(content).replace(SHEET, "")


def _as_xml(content: Report) -> str:
    """A frame for an SVG file, without folded logs, which could not be unfolded there."""
    unfolded = tuple(fold for fold in content.folds if fold.open)
    curve = "<svg ", '<svg xmlns="http://www.w3.org/2000/svg" '
    return _bare(replace(content, folds=unfolded)).replace(*curve)


def _height(content: Report) -> int:
    """An upper bound of a frame's height, in pixels."""
    wrapped = [" · ".join((content.name, content.state, *content.facts)), content.problem]
    wrapped += [*content.attempts, *content.hints, *(row.cells[-1] for row in content.table.rows)]
    lines = sum(-(-len(words) // _CHARACTERS) for words in wrapped)
    lines += len(content.table.rows) + 2 + len(content.evidence)
    lines += sum(1 + len(fold.lines) for fold in content.folds if fold.open)
    return _LINE * lines + 16


_PAGE = (
    ":root{color-scheme:light dark}"
    "body{margin:1em auto;max-width:70em;padding:0 1em;font-family:system-ui,sans-serif;"
    f"background:{LIGHT['ground']};color:{LIGHT['text']}}}h1{{font-size:1.2em}}"
    f"@media(prefers-color-scheme:dark){{body{{background:{DARK['ground']};color:{DARK['text']}}}}}"
)

#: A picture inherits no font, so this sets one. Readers who prefer reduced motion see only the end.
_ALONE = (
    ".f{visibility:hidden;font:13px system-ui,sans-serif}"
    ".f>div,.f>div>div{height:100%;box-sizing:border-box}"
    "@media(prefers-reduced-motion:reduce){.f{animation:none!important}"
    ".f:last-of-type{visibility:visible}}"
)

#: Plays the frames, given the time and the pieces of each.
_PLAYER = """function(id,data){
const root=document.getElementById(id);if(!root)return;
const bar=root.querySelector(".mw-player"),shown=root.querySelector(".mw-frame");
const button=bar.querySelector("button"),range=bar.querySelector("input");
const speed=bar.querySelector("select"),said=bar.querySelector("span");
const svg=root.querySelector("svg.mw-timeline"),frames=data.frames,end=+range.max;
let at=end,on=-1,plays=false,before=0,cursor=null;
if(svg){const [left,right,top,bottom]=data.place;
cursor=document.createElementNS("http://www.w3.org/2000/svg","path");
cursor.setAttribute("stroke","currentColor");svg.appendChild(cursor);
cursor.move=share=>cursor.setAttribute("d",`M${left+share*(right-left)} ${top}V${bottom}`);}
function show(){let n=0;while(n+1<frames.length&&frames[n+1][0]<=at)n++;
if(n!==on){on=n;shown.innerHTML=frames[n][1].map(i=>data.pieces[i]).join("");}
range.value=at;said.textContent=`${at.toFixed(1)} of ${end.toFixed(1)} s`;
if(cursor)cursor.move(end?at/end:1);
button.textContent=plays?"❚❚ Pause":"▶ Play";}
function tick(now){if(!plays||!root.isConnected)return;
at=Math.min(end,at+(now-before)/1000*speed.value);before=now;
if(at>=end)plays=false;else requestAnimationFrame(tick);show();}
button.onclick=()=>{plays=!plays;if(plays){if(at>=end)at=0;before=performance.now();
requestAnimationFrame(tick);}show();};
range.oninput=()=>{at=+range.value;show();};
bar.hidden=false;show();}""".replace("\n", "")
