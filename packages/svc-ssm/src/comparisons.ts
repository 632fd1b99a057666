const NUMBER = /^-?\d+(\.\d+)?$/;

/** Compares numbers as numbers, times as times and other values as text. */
function order(a: string, b: string): number {
  if (NUMBER.test(a) && NUMBER.test(b)) return Number(a) - Number(b);
  const [first, second] = [Date.parse(a), Date.parse(b)];
  if (!Number.isNaN(first) && !Number.isNaN(second)) return first - second;
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Whether a value matches the values of a filter: any of them, or none for `NotEqual`. */
export function compares(actual: string, operator: string, values: readonly string[]): boolean {
  switch (operator.toUpperCase().replaceAll('_', '')) {
    case 'NOTEQUAL':
      return !values.includes(actual);
    case 'BEGINWITH':
      return values.some((value) => actual.startsWith(value));
    case 'CONTAINS':
      return values.some((value) => actual.includes(value));
    case 'LESSTHAN':
      return values.some((value) => order(actual, value) < 0);
    case 'GREATERTHAN':
      return values.some((value) => order(actual, value) > 0);
    default:
      return values.includes(actual);
  }
}
