/** The answers of the server's extension, requested repeatedly while somebody looks. */

import { URLExt } from '@jupyterlab/coreutils';
import { ServerConnection } from '@jupyterlab/services';
import { VDomModel } from '@jupyterlab/ui-components';
import { Poll } from '@lumino/polling';

/** Milliseconds between two requests, at most after failures, and until one has failed. */
const INTERVAL = { interval: 2000, backoff: true, max: 10000 };
const PATIENCE = 15000;

/**
 * Ask the server: a GET that reads, or a POST that changes something.
 *
 * @throws Error - with a sentence for the user.
 */
export async function ask<T>(
  name: string,
  query: Record<string, string>,
  method: 'GET' | 'POST' = 'GET'
): Promise<T> {
  const settings = ServerConnection.makeSettings();
  let url = URLExt.join(settings.baseUrl, 'mwtutor', name);
  let init: RequestInit = { method, body: JSON.stringify(query) };
  if (method === 'GET') {
    url += URLExt.objectToQueryString(query);
    init = { method, signal: AbortSignal.timeout(PATIENCE) };
  }
  let response: Response;
  try {
    response = await ServerConnection.makeRequest(url, init, settings);
  } catch {
    throw new Error('The server does not answer.');
  }
  if (response.status === 404) {
    throw new Error("The server does not know mwtutor's panel. Restart the Jupyter server.");
  }
  const said = await response.json().catch(() => ({}));
  if (!response.ok) {
    throw new Error(said.message || `The server answered with status ${response.status}.`);
  }
  return said.content as T;
}

/** Content that is requested again while it is visible, and since when it was not updated. */
export class Watched<T> extends VDomModel {
  /**
   * @param ask - how to get the content.
   * @param needed - whether somebody looks at it.
   */
  constructor(ask: () => Promise<T>, needed: (content: T | null) => boolean) {
    super();
    this._poll = new Poll({
      factory: () => this._ask(ask),
      frequency: INTERVAL,
      standby: () => (needed(this.content) ? 'when-hidden' : true)
    });
  }

  /** The last answer; null before the first. */
  content: T | null = null;

  /** Why there is no newer content, in sentences; empty if the content is current. */
  get trouble(): string {
    if (!this._problem || !this._updated) {
      return this._problem;
    }
    const at = new Date(this._updated);
    const time = at.toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' });
    return `Not updated since ${time}. ${this._problem}`;
  }

  /** Ask at once. */
  refresh(): Promise<void> {
    return this._poll.refresh();
  }

  dispose(): void {
    this._poll.dispose();
    super.dispose();
  }

  private async _ask(ask: () => Promise<T>): Promise<void> {
    try {
      this.content = await ask();
      this._updated = Date.now();
      this._problem = '';
    } catch (error) {
      this._problem = (error as Error).message;
      throw error;
    } finally {
      this.stateChanged.emit();
    }
  }

  private _poll: Poll;
  private _problem = '';
  private _updated = 0;
}
