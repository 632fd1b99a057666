import type { GatewayResponse } from '../request/request.ts';
import { nameIn } from './cors.ts';

/**
 * Gives a document an origin of its own, which no address of emu has. Scripts run, so that pages which need nothing of
 * their server work; `allow-same-origin` would give the document emu's origin back.
 * @see https://html.spec.whatwg.org/multipage/browsers.html#sandboxing
 */
const POLICY = 'sandbox allow-downloads allow-forms allow-modals allow-popups allow-scripts';

/** Types of documents that can have scripts: HTML and every kind of XML, SVG included; and archives of such documents. */
const ACTIVE = /[/+.-](?:x?html|xml|xsl)|^\s*(?:multipart|message)\//i;
/** A media type. Browsers guess what is none. @see https://www.rfc-editor.org/rfc/rfc9110#section-8.3.1 */
const MEDIA_TYPE = /^\s*[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'+.^`|~-]+\s*(?:;|$)/;
/** Types that stand for an unknown one, which browsers guess. @see https://mimesniff.spec.whatwg.org/#mime-type-sniffing-algorithm */
const UNKNOWN = /^\s*(?:unknown|application)\/unknown\b/i;

/** Whether a browser may take a response for a document with scripts. */
function isActive({ headers }: GatewayResponse): boolean {
  const name = nameIn(headers, 'content-type');
  const type = name === undefined ? '' : String(headers[name]);
  return ACTIVE.test(type) || UNKNOWN.test(type) || !MEDIA_TYPE.test(type);
}

/**
 * Returns a response whose content comes from users as it is sent at a host that has control routes, too: what a browser
 * would render there with emu's own origin is sandboxed.
 */
export function sandboxed<Response extends GatewayResponse>(response: Response): Response {
  if (!isActive(response)) return response;
  const name = nameIn(response.headers, 'content-security-policy') ?? 'content-security-policy';
  const policies = [response.headers[name] ?? [], POLICY].flat();
  // Several policies hold together.
  return { ...response, headers: { ...response.headers, [name]: policies.length === 1 ? POLICY : policies } };
}
