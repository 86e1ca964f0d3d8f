/** Adds the panel, and a command that shows it. */

import { ILayoutRestorer, JupyterFrontEnd, JupyterFrontEndPlugin } from '@jupyterlab/application';
import { ICommandPalette, MainAreaWidget } from '@jupyterlab/apputils';
import { LogView } from './log';
import { Run, RunsPanel } from './panel';

const COMMAND = 'mwtutor:show-runs';

function activate(
  app: JupyterFrontEnd,
  palette: ICommandPalette | null,
  restorer: ILayoutRestorer | null
): void {
  const { commands, shell } = app;
  const logs = new Map<string, MainAreaWidget>();

  const openLog = (run: Run): void => {
    let widget = logs.get(run.key);
    if (!widget || widget.isDisposed) {
      const content = new LogView(run);
      widget = new MainAreaWidget({ content });
      content.node.setAttribute('aria-label', content.title.label);
      widget.id = `${content.id}-tab`;
      logs.set(run.key, widget);
      shell.add(widget, 'main');
    }
    shell.activateById(widget.id);
  };

  const openNotebook = (path: string): void => void commands.execute('docmanager:open', { path });

  const panel = new RunsPanel({ openLog, openNotebook });
  shell.add(panel, 'left', { rank: 900 });
  restorer?.add(panel, panel.id);
  commands.addCommand(COMMAND, {
    label: 'Show Runs and Sessions of mwtutor',
    execute: () => shell.activateById(panel.id)
  });
  palette?.addItem({ command: COMMAND, category: 'mwtutor' });
}

const plugin: JupyterFrontEndPlugin<void> = {
  id: 'mwtutor-lab:plugin',
  description: "Lists mwtutor's runs and sessions in a side panel.",
  autoStart: true,
  optional: [ICommandPalette, ILayoutRestorer],
  activate
};

export default plugin;
