import type { DataPlaneRequest, DataPlaneResponse, DeepReadonly, ServiceHandle } from '@emu/core/service';
import type { PortalRecord } from '../records.ts';
import type { Apigatewayv2State } from '../state.ts';
import { portalPage } from './pages.ts';
import { askToSignIn } from './sign-in.ts';

/** Path of portals for clients that cannot set the host. */
const PORTAL_PATH = '/_aws/apigw-portal/';
const HOST = /^p-([a-z0-9]+)\.apigw-portal\./;
const PREVIEW = /^\/preview\/([0-9a-f]+)(\/.*)?$/;

interface Found {
  readonly state: Apigatewayv2State;
  readonly portal: DeepReadonly<PortalRecord>;
  /** Path prefix of the portal. */
  readonly base: string;
  readonly path: string;
}

function byId(id: string, handle: ServiceHandle<Apigatewayv2State>) {
  for (const { state } of handle.states()) {
    const portal = state.portals.get(id);
    if (portal) return { state, portal };
  }
  return undefined;
}

/**
 * Returns the portal of a host name: its own, or a custom one while it is published.
 * @param name in lower case
 */
export function portalOfHost(name: string, handle: ServiceHandle<Apigatewayv2State>) {
  const id = HOST.exec(name)?.[1];
  if (id !== undefined) return byId(id, handle);
  for (const { state } of handle.states())
    for (const portal of state.portals.values())
      if (portal.published && portal.endpoint?.DomainName === name) return { state, portal };
  return undefined;
}

function find(request: DataPlaneRequest, handle: ServiceHandle<Apigatewayv2State>): Found | null | undefined {
  const { path, ownedHost } = request;
  if (path.startsWith(PORTAL_PATH)) {
    const [id = ''] = path.slice(PORTAL_PATH.length).split('/');
    const base = `${PORTAL_PATH}${id}`;
    const found = byId(id, handle);
    return found ? { ...found, base, path: path.slice(base.length) || '/' } : null;
  }
  const owned = ownedHost === undefined ? undefined : portalOfHost(ownedHost, handle);
  return owned && { ...owned, base: '', path };
}

const nothing = (): DataPlaneResponse => ({
  status: 404,
  headers: { 'content-type': 'text/plain; charset=utf-8' },
  body: 'There is no portal here, or it is not published.',
});

/**
 * Serves a page of a published portal or a preview.
 * @returns undefined if the request is not for a portal
 */
export async function servePortal(
  request: DataPlaneRequest,
  handle: ServiceHandle<Apigatewayv2State>,
): Promise<DataPlaneResponse | undefined> {
  const found = find(request, handle);
  if (found === undefined) return undefined;
  if (found === null) return nothing();
  if (request.method !== 'GET' && request.method !== 'HEAD')
    return { ...nothing(), status: 405, body: 'Method Not Allowed' };
  const { state, portal, base, path } = found;
  const nonce = state.ids.hex(32);
  const [, token, rest = '/'] = PREVIEW.exec(path) ?? [];
  if (token === undefined) {
    if (!portal.published) return nothing();
    const { site, signIn } = portal.published;
    const asked = signIn && (await askToSignIn(request, { state, base, path }, signIn));
    return asked ?? portalPage({ site, base, preview: false, nonce }, path);
  }
  const { preview } = portal;
  if (preview?.token !== token || preview.until <= state.clock.now()) return nothing();
  return portalPage({ site: preview.site, base: `${base}/preview/${token}`, preview: true, nonce }, rest);
}
