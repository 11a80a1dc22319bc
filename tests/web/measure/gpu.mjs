// Pages with a WebGPU of Chromium's own, which computes on the processor, and what is done in them.
import { addSwitches, openPage } from '../harness.mjs';

addSwitches('--enable-unsafe-webgpu', '--use-webgpu-adapter=swiftshader');

/** One core: the tests share theirs with others. */
const oneCore = () => Object.defineProperty(navigator, 'hardwareConcurrency', { get: () => 1 });

/** A page with this operator open. `init`: in the page, before its scripts. `route`: answers a request. */
export async function pageWith(operator, init = oneCore, route = undefined) {
  const state = operator ? { source: { built: 'operator', request: operator } } : {};
  return openPage(`#${btoa(JSON.stringify(state))}`, { init, route });
}

export const parts = page => ({
  dialog: page.page.getByRole('dialog', { name: 'Measure this machine' }),
  cpu: page.page.getByRole('region', { name: 'Processor', exact: true }),
  gpu: page.page.getByRole('region', { name: 'GPU', exact: true }),
  run: page.page.getByRole('region', { name: 'Run it here', exact: true }),
});

export async function openDialog(page) {
  await (await page.behind('machine')).getByRole('button', { name: 'Measure this machine…' }).click();
  const { dialog } = parts(page);
  await dialog.waitFor();
  return dialog;
}

/** Until a part is in one of these states: ready, running, failed, done. */
export const reached = (page, part, ...states) =>
  page.page.waitForFunction(
    ([name, wanted]) =>
      wanted.includes(document.querySelector(`.measure section[aria-label="${name}"]`)?.dataset.state),
    [part, states],
  );
