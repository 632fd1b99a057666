import { type DataPlaneRequest, type DeepReadonly, percentDecoded } from '@emu/core/service';
import type { RoutingRuleRecord } from '../records.ts';

type Condition = DeepReadonly<RoutingRuleRecord>['Conditions'][number];
type HeaderValue = NonNullable<Condition['MatchHeaders']>['AnyOf'][number];

/** Whether a value is of a form in which asterisks stand for any text. */
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

/** How many segments of a path a condition's base path has; undefined where the path does not begin with one of them. */
function basePathLevels(paths: readonly string[], path: string): number | undefined {
  const plain = percentDecoded(path);
  const found = paths
    .filter((base) => plain === `/${base}` || plain.startsWith(`/${base}/`))
    .sort((a, b) => b.length - a.length)[0];
  return found?.split('/').length;
}

/**
 * Whether a rule is for a request: all of its conditions have to hold.
 * @returns how many segments of the path its base path has, 0 where it has none; undefined where it is not for it
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
