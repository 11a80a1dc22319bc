// Pictures of the page for the README and for looking at: node tests/web/screenshots.mjs FOLDER [FILE.json]
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { launch, Page, requireDist, serve } from './harness.mjs';

const [folder, file] = process.argv.slice(2);
if (!folder) throw new Error('usage: screenshots.mjs FOLDER [FILE.json]');
requireDist();
mkdirSync(folder, { recursive: true });
const server = await serve();
const browser = await launch();
for (const [width, height] of [[1440, 900], [1280, 720], [768, 1024], [390, 844]]) {
  for (const colorScheme of ['light', 'dark']) {
    const page = await Page.open(browser, server.url, { viewport: { width, height }, colorScheme });
    if (file) {
      await page.page.locator('#file-input').setInputFiles(file);
      await page.page.waitForTimeout(500);
      await page.settled();
    }
    const shoot = (name, options) => page.page.screenshot({ path: join(folder, `${name}-${width}x${height}-${colorScheme}.png`), ...options });
    await shoot('page', { fullPage: width < 768 });
    await page.page.getByRole('button', { name: 'What-if' }).click();
    await page.page.getByLabel('Weights').selectOption('int4');
    await page.page.getByLabel('Activations').selectOption('int4');
    await page.settled();
    await shoot('whatif');
    await page.close();
  }
}
await browser.close();
server.close();
