/** Side of a mapping, which determines its value sources. */
export type MappingSide = 'request' | 'response';

/** A part of a mapping value. */
export interface MappingPart {
  /** Literal text. */
  text?: string;
  /** For example `request.header.x-id`, without the dollar sign. */
  reference?: string;
}

const ROOTS: Readonly<Record<MappingSide, RegExp>> = {
  request:
    /^(?:request\.(?:header\.[^\s]+|querystring\.[^\s]+|body(?:\.[^\s]+)?|path(?:\.[^\s]+)?)|context\.[\w.-]+|stageVariables\.\w+)$/,
  response: /^(?:response\.(?:header\.[^\s]+|body(?:\.[^\s]+)?|statuscode)|context\.[\w.-]+|stageVariables\.\w+)$/,
};
const EMBEDDED = /\$\{([^{}]*)\}/g;

/**
 * Splits a value into parts: a selection of the request or response, text, or text with selections in braces.
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-parameter-mapping.html
 */
export function mappingParts(value: string): MappingPart[] {
  if (value.startsWith('$') && !value.startsWith('${')) return [{ reference: value.slice(1) }];
  const parts: MappingPart[] = [];
  let at = 0;
  for (const match of value.matchAll(EMBEDDED)) {
    if (match.index > at) parts.push({ text: value.slice(at, match.index) });
    parts.push({ reference: match[1]! });
    at = match.index + match[0].length;
  }
  if (at < value.length || parts.length === 0) parts.push({ text: value.slice(at) });
  return parts;
}

/** Whether a text is a valid mapping value: all selections must be available on its side. */
export const isMappingValue = (value: string, side: MappingSide): boolean =>
  mappingParts(value).every(({ reference }) => reference === undefined || ROOTS[side].test(reference));
