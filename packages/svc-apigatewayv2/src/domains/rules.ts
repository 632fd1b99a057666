import { type DataPlaneRequest, type DeepReadonly, percentDecoded } from '@emu/core/service';
import type { RoutingRuleRecord } from '../records.ts';

type Condition = DeepReadonly<RoutingRuleRecord>['Conditions'][number];
type HeaderValue = NonNullable<Condition['MatchHeaders']>['AnyOf'][number];

/** Whether a value matches a glob with asterisks. */
function fits(glob: string, value: string): boolean {
  const parts = glob.split('*');
  if (parts.length === 1) return glob === value;
  let at = parts[0]!.length;
  if (!value.startsWith(parts[0]!)) return false;
  for (const part of parts.slice(1, -1)) {
    const next = value.indexOf(part, at);
    if (next < 0) return false;
    at = next + part.length;
  }
  const last = parts.at(-1)!;
  return value.length - last.length >= at && value.endsWith(last);
}

const hasHeader = ({ headers }: Pick<DataPlaneRequest, 'headers'>, { Header, ValueGlob }: HeaderValue): boolean =>
  [headers[Header.toLowerCase()] ?? []].flat().some((value) => fits(ValueGlob, value));

/** Returns the number of segments of a condition's matching base path; undefined if none matches. */
function basePathLevels(paths: readonly string[], path: string): number | undefined {
  const plain = percentDecoded(path);
  const found = paths
    .filter((base) => plain === `/${base}` || plain.startsWith(`/${base}/`))
    .sort((a, b) => b.length - a.length)[0];
  return found?.split('/').length;
}

/**
 * Matches a request against all conditions of a rule.
 * @returns number of segments of the base path, 0 without one; undefined if the rule does not match
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/rest-api-routing-rules.html
 */
export function matches(
  { Conditions }: Pick<DeepReadonly<RoutingRuleRecord>, 'Conditions'>,
  request: Pick<DataPlaneRequest, 'headers' | 'path'>,
): number | undefined {
  let levels = 0;
  for (const { MatchBasePaths, MatchHeaders } of Conditions) {
    if (MatchHeaders && !MatchHeaders.AnyOf.some((value) => hasHeader(request, value))) return undefined;
    if (!MatchBasePaths) continue;
    const found = basePathLevels(MatchBasePaths.AnyOf, request.path);
    if (found === undefined) return undefined;
    levels = found;
  }
  return levels;
}
