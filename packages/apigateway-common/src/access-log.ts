import { javaText } from './vtl/values.ts';

/** Maps accessible only by member: as a whole they are null. */
const OF_MEMBERS: ReadonlySet<string> = new Set(['authorizer.claims']);
const VARIABLE = /\$context\.([\w-]+(?:\.[\w-]+)*)/g;

/** Returns a variable by dotted name; undefined if missing. */
export function contextValue(context: Readonly<Record<string, unknown>>, name: string): unknown {
  let value: unknown = context;
  for (const part of name.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, part)) return undefined;
    value = (value as Record<string, unknown>)[part];
  }
  return value;
}

/**
 * Returns a line of an access log: the format with the values of its variables, a hyphen for missing ones.
 * @param context `$context` by member
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/set-up-logging.html
 */
export function accessLogLine(format: string, context: Readonly<Record<string, unknown>>): string {
  return format.replace(VARIABLE, (_, name: string) => {
    const text = OF_MEMBERS.has(name) ? '' : javaText(contextValue(context, name));
    return text === '' ? '-' : text.replaceAll('"', '\\"').replaceAll('\n', '\\n');
  });
}
