import type { ConfigurationSet } from '../context.ts';
import type { SesState } from '../state.ts';
import { linkUrl } from './links.ts';

// These expressions do not backtrack, also for long input.
const ANCHOR = /<a\b[^<>]*>/gi;
const HREF = /\bhref\s*=\s*(?:"([^"]*)"|'([^']*)')/i;
const NO_TRACK = / ?\bses:no-track\b(?:\s*=\s*(?:"[^"]*"|'[^']*'))?/i;
const TAGS = / ?\bses:tags\s*=\s*(?:"([^"]*)"|'([^']*)')/i;
const OPEN_TRACKER = '{{ses:openTracker}}';

/** Decodes the entities of an attribute that occur in URLs. */
const withoutEntities = (text: string): string => text.replace(/&amp;/g, '&').replace(/&#38;/g, '&');

/** Parses the tags of a link: `name:value;name:value`. */
function linkTags(text: string): Record<string, string[]> {
  const tags: Record<string, string[]> = {};
  for (const pair of text.split(';')) {
    const [name = '', value = ''] = pair.split(':').map((part) => part.trim());
    if (name !== '') tags[name] = [...(tags[name] ?? []), value];
  }
  return tags;
}

/** Returns the base URL of a configuration set's links: its own domain at emu's port, or emu. */
function trackingBase({ tracking }: Pick<ConfigurationSet, 'tracking'>, endpoint: string): string {
  if (!tracking) return endpoint;
  const { protocol, port } = new URL(endpoint);
  const scheme = tracking.https === 'REQUIRE' ? 'https:' : protocol;
  return `${scheme}//${tracking.domain}${port === '' ? '' : `:${port}`}`;
}

const wantedOf = ({ destinations }: ConfigurationSet): Set<string> =>
  new Set(destinations.flatMap(({ enabled, types }) => (enabled ? types : [])));

/** Whether a destination of a configuration set receives opens or clicks. */
export const hasTrackingDestination = (set: ConfigurationSet): boolean => {
  const wanted = wantedOf(set);
  return wanted.has('OPEN') || wanted.has('CLICK');
};

/**
 * Returns HTML with tracked links and an open-tracking picture, if a destination of the configuration set receives
 * these events.
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
