/**
 * Names of the variables of an ARN format: required ones outside of brackets, optional ones inside. `{name}` is one
 * segment, `{name+}` may have slashes and colons, `{path/}` is a path as in IAM: `/` or `/a/b/`.
 */
type VariableName<Text extends string> = Text extends `${infer Name}+`
  ? Name
  : Text extends `${infer Name}/`
    ? Name
    : Text;
type Variables<Format extends string> = Format extends `${string}{${infer Name}}${infer Rest}`
  ? VariableName<Name> | Variables<Rest>
  : never;
type Outside<Format extends string> = Format extends `${infer Before}[${string}]${infer Rest}`
  ? `${Before}${Outside<Rest>}`
  : Format;

/** The variables of a format, e.g. `{ name: string; qualifier?: string }` of `function:{name}[:{qualifier}]`. */
export type ArnVariables<Format extends string> = { [Name in Variables<Outside<Format>>]: string } & {
  [Name in Exclude<Variables<Format>, Variables<Outside<Format>>>]?: string | undefined;
};

/** Formats and parses the resource part of an ARN by a template. */
export interface ArnFormat<Key> {
  /** Names of its variables, in order. */
  readonly variables: readonly string[];
  /** Formats the part; a missing path is `/`, and a missing optional variable omits its brackets. */
  write(key: Key): string;
  /** Parses the part; undefined for another format. */
  read(resource: string): Key | undefined;
}

type Part = { text: string } | { variable: string; kind: 'segment' | 'rest' | 'path' } | { optional: Part[] };

const PATTERNS = { segment: '[^/:]+', rest: '.+', path: '/(?:.*/)?' } as const;

/**
 * Compiles the template of a resource type in AWS's service authorization reference.
 * @param format e.g. `function:{name}[:{qualifier}]`, `user{path/}{name}`, `key/{id}`
 * @see https://docs.aws.amazon.com/service-authorization/latest/reference/reference_policies_actions-resources-contextkeys.html
 */
export function arnFormat<const Format extends string>(format: Format): ArnFormat<ArnVariables<Format>> {
  const parts = parse(format);
  const pattern = new RegExp(`^${parts.map(patternOf).join('')}$`, 's');
  return {
    variables: [...format.matchAll(/\{(\w+)/g)].map(([, name]) => name!),
    write: (key) => writeParts(parts, key as Record<string, string | undefined>),
    read(resource) {
      const match = pattern.exec(resource);
      return match ? ({ ...match.groups } as ArnVariables<Format>) : undefined;
    },
  };
}

function parse(format: string): Part[] {
  const parts: Part[] = [];
  for (const [, optional, variable, kind, text] of format.matchAll(/\[([^\]]*)\]|\{(\w+)([+/]?)\}|([^{[]+)/g)) {
    if (optional !== undefined) parts.push({ optional: parse(optional) });
    else if (variable !== undefined)
      parts.push({ variable, kind: kind === '+' ? 'rest' : kind === '/' ? 'path' : 'segment' });
    else parts.push({ text: text! });
  }
  return parts;
}

function patternOf(part: Part): string {
  if ('text' in part) return part.text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  if ('variable' in part) return `(?<${part.variable}>${PATTERNS[part.kind]})`;
  return `(?:${part.optional.map(patternOf).join('')})?`;
}

function writeParts(parts: readonly Part[], key: Readonly<Record<string, string | undefined>>): string {
  let written = '';
  for (const part of parts) {
    if ('text' in part) written += part.text;
    else if ('variable' in part) written += key[part.variable] ?? (part.kind === 'path' ? '/' : '');
    else if (part.optional.every((inner) => !('variable' in inner) || key[inner.variable] !== undefined))
      written += writeParts(part.optional, key);
  }
  return written;
}
