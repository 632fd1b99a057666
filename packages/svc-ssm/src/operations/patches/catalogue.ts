import type { InputOf, OutputOf, Patch } from '@emu/service-types/ssm';
import type { SsmContext } from '../../context.ts';
import { invalid, ssmError } from '../../errors.ts';
import { type FilterTests, passesAll } from '../../orchestrator-filters.ts';
import { paging } from '../../paging.ts';
import { effectivePatches } from '../../patches/approval.ts';
import { CATALOGUE, type KnownPatch } from '../../patches/catalogue.ts';
import type { BaselineRules } from '../../patches/records.ts';
import { baselineAt } from './baselines.ts';

/** Returns a test whether one of a patch's values is among the values of a filter. */
const has =
  (read: (patch: Readonly<Patch>) => string | string[] | undefined) =>
  ({ patch }: KnownPatch, values: readonly string[]): boolean =>
    [read(patch) ?? []].flat().some((value) => values.includes(value));

const WINDOWS: FilterTests<KnownPatch> = {
  PATCH_SET: ({ set }, values) => values.includes(set),
  PRODUCT: has(({ Product }) => Product),
  PRODUCT_FAMILY: has(({ ProductFamily }) => ProductFamily),
  MSRC_SEVERITY: has(({ MsrcSeverity }) => MsrcSeverity),
  CLASSIFICATION: has(({ Classification }) => Classification),
  PATCH_ID: has(({ KbNumber, Id }) => [KbNumber!, Id!]),
};

const LINUX: FilterTests<KnownPatch> = {
  PRODUCT: has(({ Product }) => Product),
  NAME: has(({ Name }) => Name),
  CLASSIFICATION: has(({ Classification }) => Classification),
  SEVERITY: has(({ Severity }) => Severity),
  EPOCH: has(({ Epoch }) => String(Epoch)),
  VERSION: has(({ Version }) => Version),
  RELEASE: has(({ Release }) => Release),
  ARCH: has(({ Arch }) => Arch),
  REPOSITORY: has(({ Repository }) => Repository),
  ADVISORY_ID: has(({ AdvisoryIds }) => AdvisoryIds),
  CVE_ID: has(({ CVEIds }) => CVEIds),
  BUGZILLA_ID: has(({ BugzillaIds }) => BugzillaIds),
};

const keyOf = ({ patch }: KnownPatch): string =>
  patch.KbNumber ?? `${patch.Product} ${patch.Name} ${patch.Epoch}:${patch.Version}-${patch.Release}`;

/**
 * Lists emulated patches of Windows Server and its applications, and of Amazon Linux 1 and 2 if the request names the
 * product.
 * @see https://docs.aws.amazon.com/systems-manager/latest/APIReference/API_DescribeAvailablePatches.html
 */
export function DescribeAvailablePatches(
  input: InputOf<'DescribeAvailablePatches'>,
): OutputOf<'DescribeAvailablePatches'> {
  const { Filters = [] } = input;
  const products = Filters.find(({ Key }) => Key === 'PRODUCT')?.Values ?? [];
  const linux = products.some((product) => product.startsWith('AmazonLinux'));
  const unnamed = Filters.find(({ Key = '' }) => !linux && !(Key in WINDOWS) && Key in LINUX);
  if (unnamed) throw invalid(`The filter ${unnamed.Key} needs a filter PRODUCT with a product of Linux.`);
  const set = linux || Filters.some(({ Key }) => Key === 'PATCH_SET') ? [] : [{ Key: 'PATCH_SET', Values: ['OS'] }];
  const passes = passesAll([...Filters, ...set], linux ? LINUX : WINDOWS);
  return paging
    .page('DescribeAvailablePatches', input, CATALOGUE[linux ? 'linux' : 'windows'].filter(passes), keyOf)
    .list(({ patch }) => patch);
}

/** @see https://docs.aws.amazon.com/systems-manager/latest/APIReference/API_DescribeEffectivePatchesForPatchBaseline.html */
export function DescribeEffectivePatchesForPatchBaseline(
  input: InputOf<'DescribeEffectivePatchesForPatchBaseline'>,
  ctx: SsmContext,
): OutputOf<'DescribeEffectivePatchesForPatchBaseline'> {
  const { operatingSystem, rules } = baselineAt(input.BaselineId, ctx);
  if (operatingSystem !== 'WINDOWS')
    throw ssmError('UnsupportedOperatingSystem', `The operating system ${operatingSystem} is not supported.`);
  const listed = effectivePatches(rules as BaselineRules, ctx.clock.now());
  return paging
    .page('DescribeEffectivePatchesForPatchBaseline', input, listed, ({ Patch }) => Patch!.KbNumber!)
    .list((patch) => patch);
}
