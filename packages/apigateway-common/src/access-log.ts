import { javaText } from './vtl/values.ts';

/** Maps that are told by their members only: all of them together are null. */
const OF_MEMBERS: ReadonlySet<string> = new Set(['authorizer.claims']);
const VARIABLE = /\$context\.([\w-]+(?:\.[\w-]+)*)/g;

/** The value of a variable by its dotted name; undefined where there is none. */
export function contextValue(context: Readonly<Record<string, unknown>>, name: string): unknown {
  let value: unknown = context;
  for (const part of name.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, part)) return undefined;
    value = (value as Record<string, unknown>)[part];
  }
  return value;
}

/**
 * A line of an access log: the format with the values of its variables, a hyphen for those that have none.
 * @param context `$context` by members
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/set-up-logging.html
 */
export function accessLogLine(format: string, context: Readonly<Record<string, unknown>>): string {
  return format.replace(VARIABLE, (_, name: string) => {
    const text = OF_MEMBERS.has(name) ? '' : javaText(contextValue(context, name));
    return text === '' ? '-' : text.replaceAll('"', '\\"').replaceAll('\n', '\\n');
  });
}
