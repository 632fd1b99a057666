import { isObject } from '@emu/wire';
import { location } from './code.ts';
import { resourceProblem } from './errors.ts';
import { shortDigest } from './ids.ts';
import type { Translation } from './translation.ts';
import { defined, type Resource } from './values.ts';

/**
 * Translates a layer; each version has its own id.
 * @throws SamProblem
 */
export function translateLayer(id: string, resource: Resource, to: Translation): void {
  const properties = to.resolver.resolve(resource.Properties ?? {});
  const own = resource.Properties ?? {};
  if (own.ContentUri === undefined) throw resourceProblem(id, "Missing required property 'ContentUri'.");
  const policy = retention(id, properties.RetentionPolicy, own.RetentionPolicy);
  const { Type: _, Properties: __, DeletionPolicy, ...attributes } = resource;
  const { DeletionPolicy: ___, UpdateReplacePolicy: ____, Metadata: _____, ...hashed } = resource;
  const { CompatibleArchitectures, CompatibleRuntimes } = own;
  const settings = defined({ ...properties, CompatibleArchitectures, CompatibleRuntimes });
  const madeOf = { ...hashed, ...(Object.keys(settings).length && { Properties: settings }) };
  const versionId = `${id}${shortDigest({ [id]: madeOf })}`;
  const architectures = to.resolver.resolve(CompatibleArchitectures);
  if (Array.isArray(architectures))
    if (architectures.some((one) => !isObject(one) && one !== 'x86_64' && one !== 'arm64'))
      throw resourceProblem(versionId, "CompatibleArchitectures needs to be a list of 'x86_64' or 'arm64'");
  to.references.add(id, undefined, versionId);
  to.add(
    versionId,
    'AWS::Lambda::LayerVersion',
    {
      Content: location(id, 'ContentUri', properties.ContentUri),
      LayerName: properties.LayerName ?? id,
      CompatibleRuntimes: own.CompatibleRuntimes,
      CompatibleArchitectures: own.CompatibleArchitectures,
      Description: properties.Description,
      LicenseInfo: properties.LicenseInfo,
    },
    defined({ ...attributes, DeletionPolicy: policy ?? DeletionPolicy ?? 'Retain' }),
  );
}

function retention(id: string, policy: unknown, own: unknown): string | undefined {
  if (policy === undefined) return undefined;
  if (typeof policy !== 'string' && isObject(own) && Object.hasOwn(own, 'Ref'))
    throw resourceProblem(id, "Could not resolve parameter for 'RetentionPolicy' or parameter is not a String.");
  if (typeof policy !== 'string')
    throw resourceProblem(
      id,
      "'RetentionPolicy' does not accept intrinsic functions, please use one of the following options: ['Retain', 'Delete']",
    );
  const known = ['Retain', 'Delete'].find((name) => name.toLowerCase() === policy.toLowerCase());
  if (!known)
    throw resourceProblem(id, "'RetentionPolicy' must be one of the following options: ['Retain', 'Delete'].");
  return known;
}
