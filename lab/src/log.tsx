/** The log of a run, in its own tab. */

import { VDomRenderer } from '@jupyterlab/ui-components';
import React, { useLayoutEffect, useRef } from 'react';
import { icon, Run, State } from './panel';
import { ask, Watched } from './watched';

interface Log {
  name: string;
  state: string;
  meaning: string;
  ended: boolean;
  tasks: string[];
  lines: string[];
}

/** The lines; the last one stays visible unless the reader has scrolled up. */
function Lines(props: { text: string; label: string }): JSX.Element {
  const box = useRef<HTMLPreElement>(null);
  const follows = useRef(true);
  useLayoutEffect(() => {
    if (box.current && follows.current) {
      box.current.scrollTop = box.current.scrollHeight;
    }
  }, [props.text]);
  const scrolled = ({ scrollHeight, scrollTop, clientHeight }: HTMLElement) =>
    (follows.current = scrollHeight - scrollTop - clientHeight < 4);
  return (
    <pre
      ref={box}
      role="log"
      aria-label={props.label}
      tabIndex={0}
      onScroll={event => scrolled(event.currentTarget)}
    >
      {props.text}
    </pre>
  );
}

export class LogView extends VDomRenderer<Watched<Log>> {
  constructor(run: Run) {
    super(
      new Watched<Log>(
        () => ask('log', { key: run.key, task: this._task }),
        content => this.isVisible && !content?.ended
      )
    );
    this.id = `mwtutor-log-${run.key}`;
    this.addClass('mwtutor-log');
    this.title.icon = icon;
    this.title.label = `Log of ${run.name}`;
    this.title.closable = true;
  }

  protected onAfterShow(): void {
    void this.model.refresh();
  }

  protected render(): JSX.Element {
    const { content, trouble } = this.model;
    const text = content?.lines.join('\n') || (content ? 'Nothing was printed.' : '');
    return (
      <>
        <div className="mwtutor-head">
          <span className="mwtutor-name">{content?.name}</span>
          {content && <State {...content} />}
          <label>
            Task <select value={this._task} onChange={event => this._choose(event.target.value)}>
              <option value="">all</option>
              {content?.tasks.map(task => <option key={task}>{task}</option>)}
            </select>
          </label>
        </div>
        <div role="status">{trouble || (content ? '' : 'Loading …')}</div>
        <Lines text={text} label={this.title.label} />
      </>
    );
  }

  private _choose(task: string): void {
    this._task = task;
    this.model.content = this.model.content && { ...this.model.content, ended: false };
    this.update();
    void this.model.refresh();
  }

  private _task = '';
}
