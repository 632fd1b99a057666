import type { GatewayResponse } from '../request/gateway-request.ts';
import { nameIn } from './cors.ts';

/**
 * Gives a document an opaque origin. Scripts run, so that pages without requests to their server work;
 * `allow-same-origin` would give the document emu's origin again.
 * @see https://html.spec.whatwg.org/multipage/browsers.html#sandboxing
 */
const POLICY = 'sandbox allow-downloads allow-forms allow-modals allow-popups allow-scripts';

/** Types of documents that can have scripts: HTML, all kinds of XML including SVG, and archives of such documents. */
const ACTIVE = /[/+.-](?:x?html|xml|xsl)|^\s*(?:multipart|message)\//i;
/**
 * A valid media type. Browsers guess the type of content with an invalid one.
 * @see https://www.rfc-editor.org/rfc/rfc9110#section-8.3.1
 */
const MEDIA_TYPE = /^\s*[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'+.^`|~-]+\s*(?:;|$)/;
/**
 * Media types for unknown content, whose type browsers guess.
 * @see https://mimesniff.spec.whatwg.org/#mime-type-sniffing-algorithm
 */
const UNKNOWN = /^\s*(?:unknown|application)\/unknown\b/i;

/** Whether a browser may treat a response as a document with scripts. */
function isActive({ headers }: GatewayResponse): boolean {
  const name = nameIn(headers, 'content-type');
  const type = name === undefined ? '' : String(headers[name]);
  return ACTIVE.test(type) || UNKNOWN.test(type) || !MEDIA_TYPE.test(type);
}

/**
 * Returns a response with users' content for a host that also has control routes: documents are sandboxed, so that they
 * do not have emu's origin.
 */
export function sandboxed<Response extends GatewayResponse>(response: Response): Response {
  if (!isActive(response)) return response;
  const name = nameIn(response.headers, 'content-security-policy') ?? 'content-security-policy';
  const policies = [response.headers[name] ?? [], POLICY].flat();
  // Browsers enforce all policies.
  return { ...response, headers: { ...response.headers, [name]: policies.length === 1 ? POLICY : policies } };
}
