import { isObject } from '@emu/wire';

/** Names below `$states` that an expression may read, by its location. */
export type StatesField = 'input' | 'context' | 'result' | 'errorOutput';

/** A reference that AWS rejects when the definition is created. */
export interface InvalidReference {
  code: 'INVALID_JSONATA_EXPRESSION' | 'UNSUPPORTED_JSONATA_EXPRESSION';
  message: string;
}

/** A node of JSONata's syntax tree; its other members contain nodes and lists of them. */
type Node = Record<string, unknown> & { type?: string; value?: unknown; steps?: Node[] };

/** Types of functions, which get their context item where they are called; predicates have that of the step. */
const CALLED: ReadonlySet<unknown> = new Set(['lambda', 'transform']);

const atTopLevel = (name: string): InvalidReference => ({
  code: 'UNSUPPORTED_JSONATA_EXPRESSION',
  message: `Reference to '${name}' at the top level is not supported.`,
});

/**
 * Returns the references of an expression to values that Step Functions does not offer: names and `$` at the top level,
 * where an expression has no context item, `$$`, and unknown fields of `$states`.
 * @param tree JSONata's syntax tree
 * @param fields fields of `$states` that the expression may read
 * @see https://states-language.net/spec.html#jsonata-restrictions
 */
export function invalidReferences(tree: unknown, fields: ReadonlySet<string>): InvalidReference[] {
  const found = new Map<string, InvalidReference>();
  const report = (reference: InvalidReference): void => {
    found.set(reference.message, reference);
  };

  /** @param top whether the node is evaluated without a context item */
  const walk = (node: unknown, top: boolean): void => {
    if (Array.isArray(node)) for (const item of node) walk(item, top);
    if (!isObject(node)) return;
    const { type, value, steps } = node as Node;
    if (type === 'variable') {
      if (value === '$') report({ code: 'INVALID_JSONATA_EXPRESSION', message: "Reference to '$$' is not supported." });
      else if (value === '' && top) report(atTopLevel('$'));
    }
    if (type === 'path' && Array.isArray(steps)) path(steps, node as Node, top);
    else
      for (const [member, part] of Object.entries(node)) {
        const nested = member === 'predicate' || member === 'stages' || member === 'group';
        if (typeof part === 'object') walk(part, top && !CALLED.has(type) && !nested);
      }
  };

  const path = (steps: Node[], node: Node, top: boolean): void => {
    const [first, second] = steps as [Node, Node?];
    if (first.type === 'name' && top) report(atTopLevel(String(first.value)));
    if (first.type === 'variable' && first.value === 'states' && second?.type === 'name') {
      const field = String(second.value);
      if (!fields.has(field))
        report({ code: 'UNSUPPORTED_JSONATA_EXPRESSION', message: `Field '$states.${field}' does not exist.` });
    }
    walk(first, top);
    for (const step of steps.slice(1)) walk(step, false);
    walk(node.group, false);
  };

  walk(tree, true);
  return [...found.values()];
}
