import { parseJson } from '@emu/wire';
/**
 * Returns the failed messages of a batch.
 * @param ids of the batch's messages
 * @returns the ids in the response; undefined for an invalid response, which fails the whole batch
 * @see https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-errorhandling.html#services-sqs-batchfailurereporting
 */
export function failedItems(response: Buffer, ids: ReadonlySet<string>): Set<string> | undefined {
  let value: unknown;
  try {
    value = parseJson(response.toString() || 'null');
  } catch {
    return undefined;
  }
  if (value === null) return new Set();
  const failures = (value as { batchItemFailures?: unknown }).batchItemFailures ?? [];
  if (!Array.isArray(failures)) return undefined;
  const failed = new Set<string>();
  for (const failure of failures) {
    const id = (failure as { itemIdentifier?: unknown } | null)?.itemIdentifier;
    if (typeof id !== 'string' || !ids.has(id)) return undefined;
    failed.add(id);
  }
  return failed;
}
