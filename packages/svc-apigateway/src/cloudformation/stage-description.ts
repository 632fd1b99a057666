import { identifierOf, omit, type Properties, pick, sameValue } from '@emu/core/providers';
import type { ProviderContext, ResourceProvider } from '@emu/core/service';
import { METHOD_PATHS, type MethodSetting, type StageProperties, stage } from './stage.ts';

/** Settings of the stage created by a deployment; settings of all methods are inlined. */
export type StageDescription = Properties & Pick<StageProperties, 'MethodSettings'>;

const stages = stage as unknown as ResourceProvider<StageProperties>;
const EVERY_METHOD = Object.keys(METHOD_PATHS);

const isEvery = ({ HttpMethod, ResourcePath }: MethodSetting): boolean => HttpMethod === '*' && ResourcePath === '/*';

/** Converts a stage description to properties of a stage resource. */
function stageProperties(
  { restApiId, stageName }: { restApiId: string; stageName: string },
  description: StageDescription = {},
): StageProperties {
  const every = pick(description, EVERY_METHOD as never[]) as Properties;
  const { MethodSettings = [] } = description;
  const all = Object.keys(every).length ? [{ HttpMethod: '*', ResourcePath: '/*', ...every }] : [];
  return {
    ...omit(description, 'MethodSettings', ...EVERY_METHOD),
    ...(all.length + MethodSettings.length > 0 && { MethodSettings: [...all, ...MethodSettings] }),
    RestApiId: restApiId,
    StageName: stageName,
  };
}

/** Updates the changed settings of a deployment's stage. */
export async function changeDescribedStage(
  key: { restApiId: string; stageName: string },
  previous: StageDescription | undefined,
  desired: StageDescription | undefined,
  ctx: ProviderContext,
): Promise<void> {
  if (sameValue(previous ?? {}, desired ?? {})) return;
  const identifier = identifierOf(key.restApiId, key.stageName);
  await stages.update!(identifier, stageProperties(key, previous), stageProperties(key, desired), ctx);
}

/** Returns the current settings of a deployment's stage. */
export async function describedStage(
  restApiId: string,
  { StageDescription: applied, StageName }: { StageDescription?: StageDescription; StageName?: string },
  ctx: ProviderContext,
): Promise<StageDescription | undefined> {
  if (!applied || StageName === undefined) return applied;
  const found = await stages.read(identifierOf(restApiId, StageName), ctx);
  if (!found) return undefined;
  const { MethodSettings = [], ...settings } = found.properties;
  const others = MethodSettings.filter((setting) => !isEvery(setting));
  const whole: Properties = { ...settings, ...MethodSettings.find(isEvery), MethodSettings: others };
  return pick(whole, Object.keys(applied) as never[]);
}
