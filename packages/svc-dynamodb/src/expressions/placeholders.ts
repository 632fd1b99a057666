import type { AttributeValue } from '@emu/service-types/dynamodb';
import { checkedValue } from '../attributes/values.ts';
import { dynamodbError } from '../errors.ts';
import type { PathNode, ValueNode } from './nodes.ts';
import { type ExpressionKind, expressionError } from './syntax.ts';

/** A document path with resolved names: strings are map keys (the first an attribute), numbers list indexes. */
export type DocumentPath = readonly (string | number)[];

/** Maximum number of steps in a path. */
const MAX_PATH_DEPTH = 32;

/**
 * Names and values shared by a request's expressions. Each must be used by some expression; call `assertAllUsed` after
 * binding the last one.
 */
export class Placeholders {
  // Created on demand: most requests use none.
  private usedNames: Set<string> | undefined;
  private usedValues: Set<string> | undefined;
  private readonly values: Record<string, AttributeValue> = {};
  private isChecked = false;

  /**
   * @param names `ExpressionAttributeNames`
   * @param given `ExpressionAttributeValues`
   */
  constructor(
    private readonly names: Record<string, string> | undefined,
    private readonly given: Record<string, AttributeValue> | undefined,
  ) {}

  /**
   * Validates names and values. DynamoDB does this after checking the request's items and before parsing the first
   * expression.
   * @throws AwsError `ValidationException` for malformed keys or values
   */
  check(): void {
    if (this.isChecked) return;
    this.isChecked = true;
    const { names, given } = this;
    if (names) checkKeys('ExpressionAttributeNames', names, /^#[A-Za-z0-9_]+$/);
    if (given) {
      checkKeys('ExpressionAttributeValues', given, /^:[A-Za-z0-9_]+$/);
      for (const [name, value] of Object.entries(given)) this.values[name] = this.checked(name, value);
    }
  }

  /**
   * Returns the value of a placeholder.
   * @throws AwsError if it is not defined
   */
  value(kind: ExpressionKind, node: ValueNode): AttributeValue {
    this.check();
    const value = Object.hasOwn(this.values, node.name) ? this.values[node.name] : undefined;
    if (!value)
      throw expressionError(
        kind,
        `An expression attribute value used in expression is not defined; attribute value: ${node.name}`,
      );
    this.usedValues ??= new Set();
    this.usedValues.add(node.name);
    return value;
  }

  /**
   * Returns a path with resolved names.
   * @throws AwsError for undefined names and paths that are too long
   */
  path(kind: ExpressionKind, node: PathNode): DocumentPath {
    if (node.elements.length > MAX_PATH_DEPTH)
      throw expressionError(
        kind,
        `The document path has too many nesting elements; nesting levels: ${node.elements.length}`,
      );
    return node.elements.map((step) => {
      if ('index' in step) return step.index;
      if ('name' in step) return step.name;
      const name = this.names && Object.hasOwn(this.names, step.placeholder) ? this.names[step.placeholder] : undefined;
      if (name === undefined)
        throw expressionError(
          kind,
          `An expression attribute name used in the document path is not defined; attribute name: ${step.placeholder}`,
        );
      this.usedNames ??= new Set();
      this.usedNames.add(step.placeholder);
      return name;
    });
  }

  /**
   * Checks that every placeholder is used.
   * @throws AwsError `ValidationException` with the unused placeholders
   */
  assertAllUsed(): void {
    this.check();
    if (this.names) assertUsed('ExpressionAttributeNames', Object.keys(this.names), this.usedNames);
    if (this.given) assertUsed('ExpressionAttributeValues', Object.keys(this.values), this.usedValues);
  }

  private checked(name: string, value: AttributeValue): AttributeValue {
    try {
      return checkedValue(value);
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      throw dynamodbError(
        'ValidationException',
        `ExpressionAttributeValues contains invalid value: ${error.message} for key ${name}`,
      );
    }
  }
}

function checkKeys(parameter: string, entries: Record<string, unknown>, pattern: RegExp): void {
  const keys = Object.keys(entries);
  if (!keys.length) throw dynamodbError('ValidationException', `${parameter} must not be empty`);
  for (const key of keys)
    if (!pattern.test(key))
      throw dynamodbError('ValidationException', `${parameter} contains invalid key: Syntax error; key: "${key}"`);
}

function assertUsed(parameter: string, keys: readonly string[], used: ReadonlySet<string> | undefined): void {
  const unused = keys.filter((key) => !used?.has(key));
  if (unused.length)
    throw dynamodbError(
      'ValidationException',
      `Value provided in ${parameter} unused in expressions: keys: {${unused.join(', ')}}`,
    );
}
