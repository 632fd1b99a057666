import { parse as parseVelocity } from 'velocityjs';

/** A step of a reference: `.name`, `.name(…)` or `[…]`. */
export type Step =
  | { readonly type: 'property'; readonly id: string }
  | { readonly type: 'method'; readonly id: string; readonly args?: readonly Expression[] | false }
  | { readonly type: 'index'; readonly id: Expression };

/** A reference such as `$input.path('$').a`. */
export interface Reference {
  readonly type: 'references';
  readonly id: string;
  readonly path?: readonly Step[];
}

/** An expression with a value. */
export type Expression =
  | Reference
  | { readonly type: 'string'; readonly value: string; readonly isEval?: boolean }
  | { readonly type: 'integer' | 'decimal' | 'bool' | 'runt'; readonly value: string | number }
  | { readonly type: 'array'; readonly isRange?: boolean; readonly value: readonly (Expression | string | number)[] }
  | { readonly type: 'map'; readonly value?: Readonly<Record<string, Expression>> }
  | { readonly type: 'math'; readonly operator: string; readonly expression: readonly Expression[] };

/** A directive, standalone or within a block. */
export type Directive =
  | { readonly type: 'set'; readonly equal: readonly [Reference, Expression] }
  | { readonly type: 'if' | 'elseif'; readonly condition: Expression }
  | { readonly type: 'else' | 'break' | 'comment' | 'end' }
  | { readonly type: 'foreach'; readonly to: string; readonly from: Expression }
  | { readonly type: 'macro'; readonly id: string; readonly args?: readonly Reference[] | false }
  | { readonly type: 'macro_call'; readonly id: string; readonly args?: readonly Expression[] | false }
  | { readonly type: 'define'; readonly id: string }
  | { readonly type: 'raw'; readonly value: string };

/** A piece of a template: text, an expression, a directive, or a block whose first piece is its directive. */
export type Piece = string | Expression | Directive | readonly Piece[];

/** A template is invalid or exceeds AWS's limits. */
export class TemplateError extends Error {
  override readonly name = 'TemplateError';
}

/** Maximum number of cached template trees, and maximum characters of a cached template. */
const MAX_TREES = 500;
const MAX_CACHED_LENGTH = 64 * 1024;
const trees = new Map<string, readonly Piece[]>();

/** Maximum nesting depth of brackets and blocks, whose tree is walked recursively. */
const MAX_DEPTH = 200;
/** Matches what opens and closes a level. */
const NESTING = /([([{]|#\{?(?:if|foreach|macro|define)\b)|([)\]}]|#\{?end\b)/g;

/** @throws TemplateError */
function checkNesting(template: string): void {
  let depth = 0;
  for (const [, opened] of template.matchAll(NESTING)) {
    depth = Math.max(0, depth + (opened === undefined ? -1 : 1));
    if (depth > MAX_DEPTH) throw new TemplateError('The template is nested too deeply.');
  }
}

/** Matches unparsed content: `#[[…]]#`. */
const UNPARSED = /(#\[\[[\s\S]*?\]\]#)/;

/** Adds the brackets to `#stop` that the parser requires. */
const withStops = (template: string): string =>
  template.includes('stop')
    ? template
        .split(UNPARSED)
        .map((part, at) => (at % 2 === 0 ? part.replace(/(?<!\\)#(?:stop(?![\w(-])|\{stop\})/g, '#stop()') : part))
        .join('')
    : template;

/**
 * Returns the tree of a template, with a cache of recent ones.
 * @throws TemplateError if it cannot be parsed
 */
export function treeOf(template: string): readonly Piece[] {
  const known = trees.get(template);
  if (known) return known;
  checkNesting(template);
  let tree: readonly Piece[];
  try {
    tree = parseVelocity(withStops(template)) as unknown as readonly Piece[];
  } catch (error) {
    throw new TemplateError(error instanceof Error ? error.message : String(error));
  }
  if (template.length <= MAX_CACHED_LENGTH) {
    if (trees.size >= MAX_TREES) trees.clear();
    trees.set(template, tree);
  }
  return tree;
}
