import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Browser, chromium, type Page } from 'playwright-core';
import { canRun } from './programs.ts';

/** Names of Chromium in packages. */
const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome'];

/** Path of an installed headless browser; undefined without one. */
const browserPath = NAMES.find((name) => canRun(name, '--version'));

/** Reason why browser tests are skipped; undefined if they run. */
export const noBrowser = browserPath === undefined ? 'there is no Chromium on this machine' : undefined;

const ARGUMENTS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-proxy-server',
];

/**
 * Starts the browser.
 * @param names host names that resolve to this machine, as a hostile name server may answer
 * @throws Error without a browser; see `noBrowser`
 */
export async function startBrowser(names: readonly string[]): Promise<Browser> {
  const rules = names.map((name) => `MAP ${name} 127.0.0.1`).join(',');
  return chromium.launch({
    executablePath: await executable(),
    args: [...ARGUMENTS, `--host-resolver-rules=${rules}`],
  });
}

async function executable(): Promise<string> {
  const { programPath } = await import('./commands.ts');
  const path = browserPath && (await programPath(browserPath));
  if (!path) throw new Error(noBrowser);
  return path;
}

/** Web server of a site: an empty page at every path of every host name. */
export interface Site extends AsyncDisposable {
  readonly port: number;
  /** Opens a page with a host name that resolves to this machine. */
  open(browser: Browser, host: string): Promise<Page>;
}

/** Starts a site on a free port of the loopback interface. */
export async function startSite(): Promise<Site> {
  const server = createServer((_, response) => {
    response.setHeader('content-type', 'text/html').end('<!doctype html><title>a page</title>');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    async open(browser, host) {
      const page = await browser.newPage();
      await page.goto(`http://${host}:${port}/`);
      return page;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
