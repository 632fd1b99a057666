import type { WireRequest } from './http.ts';

/** One segment of a template's path. */
export type Segment = { literal: string } | { label: string; greedy: boolean };

/** A parsed URI template such as `/{Bucket}/{Key+}?uploads`. */
export interface UriTemplate {
  segments: Segment[];
  /** Index of the greedy label; -1 where there is none. */
  greedyAt: number;
  /** Query parameters that must be there; undefined where any value will do. */
  query: [string, string | undefined][];
}

/** Decodes `%XX`; undefined where the text is not well-formed. */
function percentDecode(text: string): string | undefined {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** Decodes a part of a query string, where `+` is a space; text that is not well-formed stays as it is. */
function queryDecode(text: string): string {
  const spaced = text.includes('+') ? text.replaceAll('+', ' ') : text;
  return percentDecode(spaced) ?? spaced;
}

const NO_PARAMETERS: ReadonlyMap<string, string[]> = new Map();

/** Parameters of a query string in the order they appear, by name. */
export function parseQuery(query: string): ReadonlyMap<string, string[]> {
  if (query === '') return NO_PARAMETERS;
  const out = new Map<string, string[]>();
  for (const part of query.split('&')) {
    if (part === '') continue;
    const equals = part.indexOf('=');
    const name = queryDecode(equals < 0 ? part : part.slice(0, equals));
    const value = equals < 0 ? '' : queryDecode(part.slice(equals + 1));
    const values = out.get(name);
    if (values) values.push(value);
    else out.set(name, [value]);
  }
  return out;
}

/** Parses a template of a model. `x-id`, which only tells SDKs' requests apart, is not required. */
export function parseTemplate(uri: string): UriTemplate {
  const [path, query = ''] = uri.split('?', 2) as [string, string?];
  const segments = splitPath(path).map((segment): Segment => {
    const label = /^\{([^}+]+)(\+?)\}$/.exec(segment);
    return label ? { label: label[1]!, greedy: label[2] === '+' } : { literal: segment };
  });
  const literals = [...parseQuery(query)].filter(([name]) => name !== 'x-id');
  const greedyAt = segments.findIndex((segment) => 'label' in segment && segment.greedy);
  return { segments, greedyAt, query: literals.map(([name, [value]]) => [name, value === '' ? undefined : value]) };
}

/** Segments of a path, still encoded. A trailing slash makes a last, empty segment. */
function rawSegments(path: string): string[] {
  return path.slice(path.startsWith('/') ? 1 : 0).split('/');
}

/** Segments of a path, still encoded; a trailing slash does not count. */
function splitPath(path: string): string[] {
  const segments = rawSegments(path);
  if (segments.at(-1) === '') segments.pop();
  return segments;
}

/**
 * What a path that matches the template has for each of its segments, decoded.
 * @returns undefined for a label whose percent-encoding is not well-formed
 */
export function captureSegments({ segments, greedyAt }: UriTemplate, path: string): (string | undefined)[] {
  // A trailing slash belongs to a greedy label at the end (an object's key), and to nothing elsewhere.
  const parts = greedyAt >= 0 && greedyAt === segments.length - 1 ? rawSegments(path) : splitPath(path);
  const extra = parts.length - segments.length;
  const captured: (string | undefined)[] = [];
  for (let index = 0; index < segments.length; index++) {
    const from = greedyAt >= 0 && index > greedyAt ? index + extra : index;
    const text =
      index === greedyAt && extra > 0 ? parts.slice(index, index + extra + 1).join('/') : (parts[from] ?? '');
    captured.push(percentDecode(text));
  }
  return captured;
}

/** What of a request, besides method and path, tells operations with the same template apart. */
export interface RouteConditions {
  /** Query parameters of required members. */
  query: string[];
  /** Headers of required members, in lower case. */
  headers: string[];
}

interface Route<Target> {
  target: Target;
  template: UriTemplate;
  conditions: RouteConditions;
  /** How much of the request the route explains. */
  weight: number;
}

class Node<Target> {
  readonly literals = new Map<string, Node<Target>>();
  label: Node<Target> | undefined;
  greedy: Node<Target> | undefined;
  readonly routes: Route<Target>[] = [];
  /** Those of them that need nothing of the query. */
  bare: Route<Target>[] = [];
}

function childOf<Target>(children: Map<string, Node<Target>>, name: string): Node<Target> {
  const known = children.get(name);
  if (known) return known;
  const made = new Node<Target>();
  children.set(name, made);
  return made;
}

/** The parameters of a request that has none. */
const NO_QUERY: ReadonlyMap<string, string[]> = new Map();

/** Finds the target of a request by method, path and query; the most specific template wins. */
export class Router<Target> {
  private readonly methods = new Map<string, Node<Target>>();

  /** Adds an operation. Conditions only decide between templates that match alike. */
  add(method: string, template: UriTemplate, conditions: RouteConditions, target: Target): void {
    let node = childOf(this.methods, method);
    for (const segment of template.segments) {
      if ('literal' in segment) node = childOf(node.literals, segment.literal);
      else if (segment.greedy) node = node.greedy ??= new Node();
      else node = node.label ??= new Node();
    }
    const weight = template.query.length * 100 + conditions.query.length + conditions.headers.length;
    node.routes.push({ target, template, conditions, weight });
    node.routes.sort((a, b) => b.weight - a.weight);
    node.bare = node.routes.filter(({ template }) => template.query.length === 0);
  }

  /** The target of the most specific template that matches. */
  find(request: WireRequest): Target | undefined {
    const root = this.methods.get(request.method);
    if (!root) return undefined;
    const parts = rawSegments(request.path);
    return this.walk(root, parts, 0, request);
  }

  private walk(node: Node<Target>, parts: string[], index: number, request: WireRequest): Target | undefined {
    const atEnd = index === parts.length || (index === parts.length - 1 && parts[index] === '');
    if (atEnd) {
      const found = this.choose(node, request);
      if (found !== undefined) return found;
    }
    if (index >= parts.length) return undefined;
    const part = parts[index]!;
    const literal =
      node.literals.get(part) ?? (part.includes('%') ? node.literals.get(percentDecode(part) ?? part) : undefined);
    if (literal) {
      const found = this.walk(literal, parts, index + 1, request);
      if (found !== undefined) return found;
    }
    if (node.label && part !== '') {
      const found = this.walk(node.label, parts, index + 1, request);
      if (found !== undefined) return found;
    }
    return node.greedy ? this.walkGreedy(node.greedy, parts, index, request) : undefined;
  }

  /** A greedy label takes as much as what follows it in the template leaves. */
  private walkGreedy(node: Node<Target>, parts: string[], index: number, request: WireRequest): Target | undefined {
    const empty = index === parts.length - 1 && parts[index] === '';
    if (empty) return undefined;
    if (node.literals.size > 0)
      for (let end = parts.length - 1; end > index; end--) {
        const next = node.literals.get(parts[end]!);
        const found = next && this.walk(next, parts, end + 1, request);
        if (found !== undefined) return found;
      }
    return this.choose(node, request);
  }

  /** Of the routes with this path, the one that explains most of the request. */
  private choose({ routes, bare }: Node<Target>, request: WireRequest): Target | undefined {
    const without = request.query === '';
    const query = without ? NO_QUERY : parseQuery(request.query);
    let last: Route<Target> | undefined;
    for (const route of without ? bare : routes) {
      if (!hasLiterals(route.template, query)) continue;
      if (meets(route.conditions, query, request)) return route.target;
      last = route;
    }
    // Where each needs something that is missing, the one that needs least will say what.
    return last?.target;
  }
}

function hasLiterals({ query: literals }: UriTemplate, query: ReadonlyMap<string, string[]>): boolean {
  for (const [name, value] of literals) {
    const values = query.get(name);
    if (!values || (value !== undefined && !values.includes(value))) return false;
  }
  return true;
}

function meets(wanted: RouteConditions, query: ReadonlyMap<string, string[]>, { headers }: WireRequest): boolean {
  for (const name of wanted.query) if (!query.has(name)) return false;
  for (const name of wanted.headers) if (headers[name] === undefined) return false;
  return true;
}
