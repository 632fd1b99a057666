import type { AddressObject, ParsedMail } from 'mailparser';
import { rejected } from '../errors.ts';
import type { Header, SentMail } from '../events/sent.ts';

/** Maximum length of HTML that is processed, so that parsing costs are bounded. */
const MAX_HTML = 40 * 1024 * 1024;

/**
 * Parses a MIME message.
 * @throws AwsError `MessageRejected` for a message beyond the parser's limits, such as one of thousands of parts
 */
export async function parseMail(raw: Buffer): Promise<ParsedMail> {
  const { simpleParser } = await import('./mailparser.ts');
  try {
    return await simpleParser(raw, {
      skipTextToHtml: true,
      skipHtmlToText: true,
      skipImageLinks: true,
      skipTextLinks: true,
      maxHtmlLengthToParse: MAX_HTML,
    });
  } catch (error) {
    throw rejected(`The message could not be parsed: ${(error as Error).message}.`);
  }
}

/** Returns the addresses of a header, with display names. */
export function addressesIn(header: AddressObject | AddressObject[] | undefined): string[] {
  const objects = header === undefined ? [] : Array.isArray(header) ? header : [header];
  return objects.flatMap(({ value }) =>
    value
      .flatMap((one) => (one.group ? one.group : [one]))
      .flatMap(({ name, address = '' }) => {
        if (address === '') return [];
        return [
          name === ''
            ? address
            : /^[\w .-]*$/.test(name)
              ? `${name} <${address}>`
              : `${JSON.stringify(name)} <${address}>`,
        ];
      }),
  );
}

/** Returns the unfolded header lines of a message; values are not decoded. */
export const headersOf = (parsed: ParsedMail): Header[] =>
  parsed.headerLines.map(({ line }) => {
    const colon = line.indexOf(':');
    const value = line.slice(colon + 1).replace(/\r?\n(?=[ \t])/g, '');
    return { name: line.slice(0, colon), value: value.trim() };
  });

/** Headers that SES removes from a message because it uses or sets them itself. */
const TAKEN = /^(bcc|return-path|message-id|x-ses-.*)$/;

/**
 * Returns a raw message as sent: without the headers that SES removes, with message id and date.
 * @param date epoch milliseconds
 * @param more headers that SES adds if missing
 */
export function outgoingRaw(
  raw: Buffer,
  parsed: ParsedMail,
  messageId: string,
  date: number,
  more: readonly { Name: string; Value: string }[],
): Buffer {
  const lines = parsed.headerLines.filter(({ key }) => !TAKEN.test(key)).map(({ line }) => line);
  if (!parsed.headerLines.some(({ key }) => key === 'date')) lines.push(`Date: ${new Date(date).toUTCString()}`);
  for (const { Name, Value } of more)
    if (!parsed.headerLines.some(({ key }) => key === Name.toLowerCase())) lines.push(`${Name}: ${Value}`);
  lines.push(`Message-ID: ${messageId}`);
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), bodyOf(raw)]);
}

/** Returns the part after the header. */
function bodyOf(raw: Buffer): Buffer {
  const crlf = raw.indexOf('\r\n\r\n');
  const lf = raw.indexOf('\n\n');
  if (crlf < 0 && lf < 0) return Buffer.alloc(0);
  return crlf >= 0 && (lf < 0 || crlf < lf) ? raw.subarray(crlf + 4) : raw.subarray(lf + 2);
}

/** Settings for SES in the header of a raw message. */
export interface Directions {
  configurationSet?: string;
  tags: { Name: string; Value: string }[];
  sourceArn?: string;
  fromArn?: string;
  returnPathArn?: string;
  tenant?: string;
  list?: { ContactListName: string; TopicName?: string };
}

/**
 * Parses the X-SES headers of a message.
 * @see https://docs.aws.amazon.com/ses/latest/dg/event-publishing-send-email.html
 */
export function directionsIn(headers: readonly Header[]): Directions {
  const value = (name: string) => headers.find((header) => header.name.toLowerCase() === name)?.value;
  const set = value('x-ses-configuration-set');
  const sourceArn = value('x-ses-source-arn');
  const fromArn = value('x-ses-from-arn');
  const returnPathArn = value('x-ses-return-path-arn');
  const tenant = value('x-ses-tenant');
  const [list, topic] = (value('x-ses-list-management-options') ?? '').split(';').map((part) => part.trim());
  const tags = (value('x-ses-message-tags') ?? '')
    .split(',')
    .map((pair) => pair.trim())
    .filter(Boolean)
    .map((pair) => {
      const [name = '', ...rest] = pair.split('=');
      return { Name: name.trim(), Value: rest.join('=').trim() };
    });
  const topicName = topic?.replace(/^topic=/i, '');
  return {
    tags,
    ...(set !== undefined && { configurationSet: set }),
    ...(sourceArn !== undefined && { sourceArn }),
    ...(fromArn !== undefined && { fromArn }),
    ...(returnPathArn !== undefined && { returnPathArn }),
    ...(tenant !== undefined && { tenant }),
    ...(list && { list: { ContactListName: list, ...(topicName && { TopicName: topicName }) } }),
  };
}

/** Returns the parts of a parsed message. */
export const partsOf = (parsed: ParsedMail): Pick<SentMail, 'subject' | 'text' | 'html' | 'attachments'> => ({
  ...(parsed.subject !== undefined && { subject: parsed.subject }),
  ...(parsed.text !== undefined && { text: parsed.text }),
  ...(parsed.html !== false && { html: parsed.html }),
  attachments: parsed.attachments.map(({ filename, contentType, cid, size }) => ({
    ...(filename !== undefined && { filename }),
    contentType,
    ...(cid !== undefined && { contentId: cid }),
    bytes: size,
  })),
});
