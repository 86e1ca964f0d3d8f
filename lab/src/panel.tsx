/** The side panel: every run and session of the server's folders. */

import { Dialog, showDialog, showErrorMessage } from '@jupyterlab/apputils';
import { LabIcon, VDomRenderer } from '@jupyterlab/ui-components';
import React from 'react';
import { ask, Watched } from './watched';

/** A run, as `mwtutor.Overview` describes it. */
export interface Run {
  key: string;
  name: string;
  kind: 'run' | 'session';
  state: string;
  meaning: string;
  ended: boolean;
  program: string;
  launched: string;
  facts: string[];
  problem: string;
  tasks: { name: string; state: string }[];
  stoppable: boolean;
  notebook: string;
}

interface Folder {
  name: string;
  notes: string[];
  runs: Run[];
}

interface Overview {
  folders: Folder[];
  notes: string[];
}

/** What the panel cannot do itself. */
export interface Actions {
  openLog(run: Run): void;
  openNotebook(path: string): void;
}

export const icon = new LabIcon({
  name: 'mwtutor-lab:runs',
  svgstr: `<svg xmlns="http://www.w3.org/2000/svg" width="16" viewBox="0 0 24 24">
    <g class="jp-icon3" fill="#616161"><circle cx="12" cy="5" r="3"/><circle cx="5" cy="18" r="3"/>
    <circle cx="19" cy="18" r="3"/><path d="M11 7h2v5l5 4-1.2 1.6L12 13.8 7.2 17.6 6 16l5-4z"/></g></svg>`
});

/** A state in words; its dot only repeats them in color. */
export function State(props: { state: string; meaning: string }): JSX.Element {
  return (
    <span className="mwtutor-state">
      <span className={`mwtutor-dot mwtutor-${props.meaning}`} aria-hidden="true" />
      {props.state}
    </span>
  );
}

export class RunsPanel extends VDomRenderer<Watched<Overview>> {
  constructor(actions: Actions) {
    super(new Watched<Overview>(() => ask('runs', {}), () => this.isVisible));
    this._actions = actions;
    this.id = 'mwtutor-runs';
    this.addClass('mwtutor-panel');
    this.title.icon = icon;
    this.title.caption = 'mwtutor: runs and sessions';
    this.node.setAttribute('role', 'region');
    this.node.setAttribute('aria-label', this.title.caption);
  }

  protected onAfterShow(): void {
    void this.model.refresh();
  }

  protected render(): JSX.Element {
    const { content, trouble } = this.model;
    return (
      <>
        <h2>Runs and sessions</h2>
        <div role="status">{trouble || this._said || (content ? '' : 'Loading …')}</div>
        {content?.notes.map(note => <p key={note}>{note}</p>)}
        {content?.folders.map(folder => (
          <section key={folder.name} aria-label={`Folder ${folder.name}`}>
            <h3>{folder.name}</h3>
            {folder.notes.map(note => <p key={note}>{note}</p>)}
            <ul>{folder.runs.map(run => this._run(run, trouble !== ''))}</ul>
          </section>
        ))}
      </>
    );
  }

  private _run(run: Run, outdated: boolean): JSX.Element {
    const { openLog, openNotebook } = this._actions;
    const stopping = this._stopping.has(run.key);
    const button = (label: string, about: string, act: () => void, off = false) => (
      <button
        className="jp-mod-styled"
        aria-label={`${label}: ${about}`}
        disabled={outdated || off}
        onClick={act}
      >
        {label}
      </button>
    );
    return (
      <li key={run.key} data-mw-run={run.name} data-mw-state={run.state}>
        <div className="mwtutor-head">
          <span className="mwtutor-name">{run.name}</span>
          <State state={stopping ? 'stopping' : run.state} meaning={run.meaning} />
        </div>
        <div className="mwtutor-faint">
          {`${run.kind} · ${run.program} · launched ${run.launched}`}
        </div>
        {run.problem && <div>{run.problem}</div>}
        <details>
          <summary aria-label={`Details: ${run.name}`}>Details</summary>
          <ul>
            {run.tasks.map(task => <li key={task.name}>{`${task.name}: ${task.state}`}</li>)}
            <li className="mwtutor-faint">{run.facts.join(' · ')}</li>
          </ul>
        </details>
        <div className="mwtutor-buttons">
          {run.stoppable && button('Stop', run.name, () => void this._stop(run), stopping)}
          {button('Log', run.name, () => openLog(run))}
          {run.notebook && button('Notebook', run.notebook, () => openNotebook(run.notebook))}
        </div>
      </li>
    );
  }

  private async _stop(run: Run): Promise<void> {
    const lost = run.kind === 'session' ? ' The variables of its cells are lost.' : '';
    const answer = await showDialog({
      title: `Stop ${run.name}?`,
      body: `This stops every task of the ${run.kind}, and every process that a task has started.${lost}`,
      buttons: [Dialog.cancelButton(), Dialog.warnButton({ label: 'Stop' })]
    });
    if (!answer.button.accept) {
      return;
    }
    this._stopping.add(run.key);
    this.update();
    try {
      this._said = await ask<string>('stop', { key: run.key }, 'POST');
    } catch (error) {
      void showErrorMessage(`${run.name} was not stopped`, (error as Error).message);
    }
    await this.model.refresh();
    this._stopping.delete(run.key);
    this.update();
  }

  private _actions: Actions;
  private _said = '';
  private _stopping = new Set<string>();
}
