// The shell: panels left and right, the finding, the view and the table between them.
import { ColumnsDialog } from './panels/ColumnsDialog';
import { CommandPalette } from './panels/CommandPalette';
import { Device } from './panels/Device';
import { Diagnosis } from './panels/Diagnosis';
import { FilterPanel } from './panels/FilterPanel';
import { Headline } from './panels/Headline';
import { MachinePanel } from './panels/MachinePanel';
import { MissingFiles } from './panels/MissingFiles';
import { MachineQuestion } from './panels/MachineQuestion';
import { ModelQuestion } from './panels/ModelQuestion';
import { Notices } from './panels/Notices';
import { PrintedRemarks } from './panels/PrintedRemarks';
import { PrintedTitle } from './panels/PrintedTitle';
import { Sections } from './panels/Sections';
import { SourcePanel } from './panels/SourcePanel';
import { SummaryStrip } from './panels/SummaryStrip';
import { Toast } from './panels/Toast';
import { TopBar } from './panels/TopBar';
import { Tour } from './panels/Tour';
import { WhatIfPanel } from './panels/WhatIfPanel';
import { panelFrame } from './state/engine';
import { awaited, opened, source } from './state/files';
import { titleOf } from './state/source_title';
import { dragging, openList } from './state/input';
import { detailFolded, detailTab, embedded, paletteOpen } from './state/layout';
import { ready } from './state/picture';
import { settings } from './state/settings';
import { ColumnsMenu, OpTable } from './views/OpTable';
import { Tabs, ViewSwitch } from './Tabs';
import { shownView, viewCommands } from './views';
import { IconButton } from './widgets/IconButton';

/** The whole page. */
export const App = () => (embedded ? <Embedded /> : <Page />);

/** The finding and the view alone, with the way to the whole page. */
function Embedded() {
  const { View } = shownView().view;
  return (
    <>
      <Notices />
      <main aria-busy={!ready.value} data-revision={panelFrame.value?.revision}>
        {awaited.value ? (
          <MissingFiles />
        ) : (
          <>
            <Headline />
            {View ? <View /> : <OpTable />}
          </>
        )}
        <p class="embed-note muted">
          <a href={`./${location.hash}`} target="_blank" rel="noreferrer">
            Open in Roofline
          </a>
        </p>
      </main>
    </>
  );
}

function Page() {
  return (
    <>
      <TopBar />
      <Notices />
      {awaited.value ? (
        <main class="shell asking" aria-busy={!ready.value} data-revision={panelFrame.value?.revision ?? 0}>
          <MissingFiles />
        </main>
      ) : (
        <Shell />
      )}
      {!awaited.value && <Sections />}
      <Tour />
      <Toast />
      <ColumnsDialog />
      {paletteOpen.value && <CommandPalette views={viewCommands()} />}
      {dragging.value && (
        <div class="drop-zones">
          <div class={dragging.value === 'open' ? 'drop-zone over' : 'drop-zone'}>Drop to open</div>
          {opened.value && (
            <div data-drop="compare" class={dragging.value === 'compare' ? 'drop-zone over' : 'drop-zone'}>
              Drop to compare with {opened.value.source || titleOf(source.value)}
            </div>
          )}
        </div>
      )}
      <input
        type="file"
        id="file-input"
        multiple
        hidden
        aria-label="Open files"
        onChange={event => {
          void openList(event.currentTarget.files!);
          event.currentTarget.value = '';
        }}
      />
    </>
  );
}

/** Panels, view and table. */
function Shell() {
  const {
    tab: { label: tab },
    view: { View, label },
  } = shownView();
  return (
    <div
      class={`shell ${detailFolded.value ? 'folded' : ''} ${source.value && 'built' in source.value ? 'built' : ''}`}
    >
      <aside class="left" aria-label="Source, machine and filters">
        <SourcePanel />
        <MachinePanel />
        <Device />
        <FilterPanel />
      </aside>
      <main aria-busy={!ready.value} data-revision={panelFrame.value?.revision}>
        <Tabs />
        <PrintedTitle />
        <Headline />
        <MachineQuestion />
        <ModelQuestion />
        <ViewSwitch />
        {View && (
          <section class="view" aria-label={`${tab === label ? tab : `${tab}: ${label}`} view`}>
            <View />
          </section>
        )}
        <div class="strip" id="table">
          <SummaryStrip />
          <ColumnsMenu />
        </div>
        <OpTable />
        <PrintedRemarks />
      </main>
      <RightPanel />
    </div>
  );
}

function RightPanel() {
  const folded = detailFolded.value;
  const shown = detailTab.value;
  return (
    <aside class="right" id="detail" aria-label="Diagnosis and what-if">
      <div class="tabs" role="group" aria-label="Panel">
        <IconButton
          icon={folded ? 'unfold' : 'fold'}
          label={folded ? 'Unfold the panel' : 'Fold the panel'}
          class="ghost fold"
          aria-expanded={!folded}
          onClick={() => (detailFolded.value = !folded)}
        />
        {!folded && (
          <>
            <button type="button" aria-pressed={shown === 'diagnosis'} onClick={() => (detailTab.value = 'diagnosis')}>
              Diagnosis
            </button>
            <button type="button" aria-pressed={shown === 'whatif'} onClick={() => (detailTab.value = 'whatif')}>
              What-if{settings.value.whatif && <span class="badge">on</span>}
            </button>
          </>
        )}
      </div>
      {!folded && <div class="panel-body">{shown === 'diagnosis' ? <Diagnosis /> : <WhatIfPanel />}</div>}
    </aside>
  );
}
