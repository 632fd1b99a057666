import type { ConfigurationSet } from '../context.ts';
import type { SesState } from '../state.ts';
import { linkUrl } from './links.ts';

// None of them goes back over what it has read, however long that is.
const ANCHOR = /<a\b[^<>]*>/gi;
const HREF = /\bhref\s*=\s*(?:"([^"]*)"|'([^']*)')/i;
const NO_TRACK = / ?\bses:no-track\b(?:\s*=\s*(?:"[^"]*"|'[^']*'))?/i;
const TAGS = / ?\bses:tags\s*=\s*(?:"([^"]*)"|'([^']*)')/i;
const OPEN_TRACKER = '{{ses:openTracker}}';

/** Text of an attribute without its entities, as far as URLs have them. */
const withoutEntities = (text: string): string => text.replace(/&amp;/g, '&').replace(/&#38;/g, '&');

/** Tags of a link: `name:value;name:value`. */
function linkTags(text: string): Record<string, string[]> {
  const tags: Record<string, string[]> = {};
  for (const pair of text.split(';')) {
    const [name = '', value = ''] = pair.split(':').map((part) => part.trim());
    if (name !== '') tags[name] = [...(tags[name] ?? []), value];
  }
  return tags;
}

/** Where the links of a configuration set lead: to its own domain at emu's port, or to emu. */
function trackingBase({ tracking }: Pick<ConfigurationSet, 'tracking'>, endpoint: string): string {
  if (!tracking) return endpoint;
  const { protocol, port } = new URL(endpoint);
  const scheme = tracking.https === 'REQUIRE' ? 'https:' : protocol;
  return `${scheme}//${tracking.domain}${port === '' ? '' : `:${port}`}`;
}

const wantedOf = ({ destinations }: ConfigurationSet): Set<string> =>
  new Set(destinations.flatMap(({ enabled, types }) => (enabled ? types : [])));

/** Whether a destination of a configuration set wants to know of opens or clicks. */
export const wantsTracking = (set: ConfigurationSet): boolean => {
  const wanted = wantedOf(set);
  return wanted.has('OPEN') || wanted.has('CLICK');
};

/**
 * HTML with links and a picture by which SES learns that a mail is opened and clicked, as far as a destination of the
 * configuration set wants to know.
 * @see https://docs.aws.amazon.com/ses/latest/dg/configure-custom-open-click-domains.html
 */
export function trackedHtml(
  html: string,
  state: SesState,
  set: ConfigurationSet,
  messageId: string,
  endpoint: string,
): string {
  const wanted = wantedOf(set);
  const base = trackingBase(set, endpoint);
  let tracked = html;
  if (wanted.has('CLICK'))
    tracked = tracked.replace(ANCHOR, (anchor) => {
      if (NO_TRACK.test(anchor)) return anchor.replace(NO_TRACK, '');
      const href = HREF.exec(anchor);
      const url = withoutEntities(href?.[1] ?? href?.[2] ?? '');
      const tags = TAGS.exec(anchor);
      const plain = anchor.replace(TAGS, '');
      if (!/^https?:\/\//i.test(url)) return plain;
      const link = linkUrl(state, base, {
        kind: 'click',
        messageId,
        url,
        ...(tags && { tags: linkTags(tags[1] ?? tags[2] ?? '') }),
      });
      return plain.replace(HREF, () => `href="${link}"`);
    });
  if (!wanted.has('OPEN')) return tracked.replace(OPEN_TRACKER, '');
  const picture = `<img alt="" src="${linkUrl(state, base, { kind: 'open', messageId })}" style="display: none; width: 1px; height: 1px;">`;
  if (tracked.includes(OPEN_TRACKER)) return tracked.replace(OPEN_TRACKER, () => picture);
  const end = tracked.toLowerCase().lastIndexOf('</body>');
  return end < 0 ? tracked + picture : tracked.slice(0, end) + picture + tracked.slice(end);
}
