import 'shared-with-views';
import { render } from 'preact';
import { App } from './shell/App';
import { openOwnDocuments } from './core/assets';
import { fetchAhead } from './core/core';
import { complain } from './sources/opened';
import { acceptDropsAndPaste } from './sources/input';
import { acceptKeys } from './shell/keys';
import { startSession } from './shell/session';
import './core/theme';
import { showTab, tabs } from './shell/views';
import { nameClippedTexts } from './shell/clipped_titles';

fetchAhead();
render(<App />, document.getElementById('app')!);
acceptDropsAndPaste();
openOwnDocuments();
nameClippedTexts();
acceptKeys(at => {
  const { shown, more } = tabs();
  const tab = [...shown, ...more][at];
  if (tab) showTab(tab);
});
startSession().catch((error: unknown) => complain('Roofline cannot start', error));
