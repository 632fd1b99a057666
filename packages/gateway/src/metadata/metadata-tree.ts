import type { Kernel } from '@emu/core';
import { dnsSuffixOf, parseArn, partitionOf } from '@emu/core/service';
import { CredentialVendor, type VendedSession } from '../control/credentials.ts';
import type { Instance } from './instance.ts';

/** A directory, a text, or a JSON document that is created when it is read. */
export type MetadataNode = string | (() => unknown) | { [name: string]: MetadataNode };

/** Returns a time in the form of the metadata service, without fractions of a second. */
const timestamp = (time: number): string => new Date(time).toISOString().replace(/\.\d{3}Z$/, 'Z');

/**
 * Returns everything below `/latest` of an instance.
 * @param roleArn role of the instance's profile
 * @see https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/ec2-instance-metadata.html#instancedata-data-categories
 */
export function metadataTree(kernel: Kernel, instance: Instance, roleArn: string): MetadataNode {
  return {
    dynamic: { 'instance-identity': { document: () => identityDocument(kernel, instance) } },
    'meta-data': {
      'ami-id': instance.imageId,
      'ami-launch-index': '0',
      'ami-manifest-path': '(unknown)',
      'block-device-mapping': { ami: '/dev/xvda', root: '/dev/xvda' },
      hostname: instance.privateDnsName,
      iam: iam(kernel, instance, roleArn),
      'instance-action': 'none',
      'instance-id': instance.id,
      'instance-life-cycle': 'on-demand',
      'instance-type': instance.type,
      'local-hostname': instance.privateDnsName,
      'local-ipv4': instance.privateIp,
      mac: instance.mac,
      network: { interfaces: { macs: { [instance.mac]: networkInterface(kernel, instance) } } },
      placement: {
        'availability-zone': instance.availabilityZone,
        'availability-zone-id': instance.availabilityZoneId,
        region: instance.region,
      },
      profile: 'default-hvm',
      'reservation-id': instance.resourceId('r', 0),
      'security-groups': 'default',
      services: { domain: dnsSuffixOf(instance.region), partition: partitionOf(instance.region) },
    },
  };
}

/** @see https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/instance-identity-documents.html */
function identityDocument(kernel: Kernel, instance: Instance): unknown {
  return {
    accountId: kernel.settings.accountId,
    architecture: instance.architecture,
    availabilityZone: instance.availabilityZone,
    billingProducts: null,
    devpayProductCodes: null,
    marketplaceProductCodes: null,
    imageId: instance.imageId,
    instanceId: instance.id,
    instanceType: instance.type,
    kernelId: null,
    pendingTime: timestamp(instance.launchedAt),
    privateIp: instance.privateIp,
    ramdiskId: null,
    region: instance.region,
    version: '2017-09-30',
  };
}

function networkInterface(kernel: Kernel, instance: Instance): MetadataNode {
  return {
    'device-number': '0',
    'interface-id': instance.resourceId('eni', 0),
    'local-hostname': instance.privateDnsName,
    'local-ipv4s': instance.privateIp,
    mac: instance.mac,
    'owner-id': kernel.settings.accountId,
    'security-group-ids': instance.resourceId('sg', 0),
    'security-groups': 'default',
    'subnet-id': instance.resourceId('subnet', 0),
    'subnet-ipv4-cidr-block': '172.31.0.0/20',
    'vpc-id': instance.resourceId('vpc', 0),
    'vpc-ipv4-cidr-block': '172.31.0.0/16',
    'vpc-ipv4-cidr-blocks': '172.31.0.0/16',
  };
}

/** Returns the role of the instance profile, which has the role's name, and its credentials. */
function iam(kernel: Kernel, instance: Instance, roleArn: string): MetadataNode {
  const { partition, accountId, resource } = parseArn(roleArn)!;
  const role = resource.slice(resource.lastIndexOf('/') + 1);
  const vendor = new CredentialVendor(kernel, roleArn, instance.id);
  return {
    info: () => ({
      Code: 'Success',
      LastUpdated: timestamp(vendor.session().issuedAt),
      InstanceProfileArn: `arn:${partition}:iam::${accountId}:instance-profile/${role}`,
      InstanceProfileId: `AIPA${instance.resourceId('profile', 0).slice(-17).toUpperCase()}`,
    }),
    'security-credentials': { [role]: () => credentialsDocument(vendor.session()) },
  };
}

/** Returns the content of `iam/security-credentials/<role>`. */
function credentialsDocument({ record, issuedAt }: VendedSession): Record<string, string> {
  return {
    Code: 'Success',
    LastUpdated: timestamp(issuedAt),
    Type: 'AWS-HMAC',
    AccessKeyId: record.AccessKeyId,
    SecretAccessKey: record.SecretAccessKey,
    Token: record.Token,
    Expiration: timestamp(Date.parse(record.Expiration)),
  };
}
