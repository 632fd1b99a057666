import type { DeepReadonly } from '@emu/core/service';
import type { AttachedPolicy, PolicyDetail, Policy as PolicyType, PolicyVersion } from '@emu/service-types/iam';
import { encodeDocument } from '../document-encoding.ts';
import type { PolicyVersionRecord, PrincipalRecord } from '../records.ts';
import type { AnyPolicy } from './managed.ts';
import type { Usage } from './usage.ts';

/** Returns a managed policy as in lists. */
export function describePolicy(policy: AnyPolicy, { attached, boundary }: Usage, arn = policy.arn): PolicyType {
  return {
    PolicyName: policy.name,
    PolicyId: policy.id,
    Arn: arn,
    Path: policy.path,
    DefaultVersionId: policy.defaultVersionId,
    AttachmentCount: attached,
    PermissionsBoundaryUsageCount: boundary,
    IsAttachable: true,
    CreateDate: new Date(policy.createdAt),
    UpdateDate: new Date(policy.updatedAt),
  };
}

/** Returns a version of a policy without its document. */
export function describeVersion(version: DeepReadonly<PolicyVersionRecord>, policy: AnyPolicy): PolicyVersion {
  return {
    VersionId: version.id,
    IsDefaultVersion: version.id === policy.defaultVersionId,
    CreateDate: new Date(version.createdAt),
  };
}

/** Returns a version of a policy with its document. */
export function describeVersionFully(version: DeepReadonly<PolicyVersionRecord>, policy: AnyPolicy): PolicyVersion {
  return { Document: encodeDocument(version.document), ...describeVersion(version, policy) };
}

/** Returns attached policies by ARN, whose last part is the name. */
export const describeAttached = (arns: readonly string[]): AttachedPolicy[] =>
  arns.map((arn) => ({ PolicyName: arn.slice(arn.lastIndexOf('/') + 1), PolicyArn: arn }));

/** Returns inline policies with their documents. */
export const describeInline = ({ inlinePolicies }: DeepReadonly<PrincipalRecord>): PolicyDetail[] =>
  inlinePolicies.map(({ name, document }) => ({
    PolicyName: name,
    PolicyDocument: encodeDocument(document),
  }));
