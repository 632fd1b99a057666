import type { InputOf, OutputOf } from '@emu/service-types/ssm';
import type { SsmContext } from '../../context.ts';
import { notManaged, ssmError } from '../../errors.ts';
import { productOf } from '../../patches/products.ts';
import type { BaselineRules } from '../../patches/records.ts';
import { checkRules, completeRules } from '../../patches/rules.ts';
import { snapshotHash, snapshotText } from '../../patches/snapshots.ts';
import { SNAPSHOT_BUCKET } from '../../paths.ts';

/** Tags that name the patch group of a node. */
const GROUP_TAGS = ['Patch Group', 'PatchGroup'];

/**
 * Returns a snapshot of a node's baseline. All nodes with the same snapshot id get the snapshot of the first request,
 * so that later approvals do not make them differ.
 * @see https://docs.aws.amazon.com/systems-manager/latest/APIReference/API_GetDeployablePatchSnapshotForInstance.html
 */
export async function GetDeployablePatchSnapshotForInstance(
  input: InputOf<'GetDeployablePatchSnapshotForInstance'>,
  ctx: SsmContext,
): Promise<OutputOf<'GetDeployablePatchSnapshotForInstance'>> {
  const { InstanceId, SnapshotId, BaselineOverride: override } = input;
  const { state, accountId, region, clock } = ctx;
  const { patches } = state;
  const node = await state.nodes.get(InstanceId);
  if (!node) throw notManaged([InstanceId], accountId);
  const product = productOf(node);
  if (!product)
    throw ssmError(
      'UnsupportedOperatingSystem',
      `The operating system of ${InstanceId}, ${node.platformName} ${node.platformVersion}, is not supported.`,
    );
  const { system } = product;
  const group = GROUP_TAGS.map((tag) => node.tags[tag]).find((name) => name !== undefined) ?? '';
  const registered = group === '' ? undefined : patches.groupAt(group, system)?.baselineId;
  const own = (registered === undefined ? undefined : patches.find(registered)) ?? patches.defaultOf(system);
  const rules = override ? completeRules(override) : (own.rules as BaselineRules);
  if (override) checkRules(override.OperatingSystem ?? system, rules);
  const baseline = override ? { ...own, id: 'BaselineOverride', name: 'BaselineOverride', rules } : { ...own, rules };
  const chosen = override ? JSON.stringify(override) : baseline.id;
  const snapshot = patches.snapshot(`${SnapshotId} ${product.product} ${group} ${chosen}`, () => {
    const text = snapshotText(ctx, node, SnapshotId, group, product, baseline, clock.now());
    return { text, hash: snapshotHash(text), at: Math.floor(clock.now()) };
  });
  return {
    InstanceId,
    SnapshotId,
    SnapshotDownloadUrl: `${ctx.endpoint}/${SNAPSHOT_BUCKET}${region}/${accountId}/${snapshot.hash}`,
    Product: product.product,
  };
}
