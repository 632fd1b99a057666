import type { Permission } from '@emu/service-types/s3control';
import { bucketArn } from '../bucket-arns.ts';
import { parseScope } from './scopes.ts';

const READ = [
  's3:GetObject',
  's3:GetObjectVersion',
  's3:GetObjectAcl',
  's3:GetObjectVersionAcl',
  's3:ListMultipartUploadParts',
];
const WRITE = [
  's3:PutObject',
  's3:PutObjectAcl',
  's3:PutObjectVersionAcl',
  's3:DeleteObject',
  's3:DeleteObjectVersion',
  's3:AbortMultipartUpload',
];

/**
 * Returns the session policy that restricts a location role's credentials to a scope and permission.
 * @param scope `s3://<bucket>/<prefix>*`, or an object
 * @param region region of the bucket's partition
 * @see https://docs.aws.amazon.com/AmazonS3/latest/userguide/access-grants-location.html
 */
export function sessionPolicy(scope: string, permission: Permission, region: string): string {
  const { bucket, prefix } = parseScope(scope)!;
  const arn = bucketArn(bucket, region);
  const pattern = scope.endsWith('*') ? `${prefix}*` : prefix;
  const reads = permission !== 'WRITE';
  const writes = permission !== 'READ';
  const statements = [
    {
      Effect: 'Allow',
      Action: [...(reads ? READ : []), ...(writes ? WRITE : [])],
      Resource: `${arn}/${pattern}`,
    },
    ...(reads
      ? [
          {
            Effect: 'Allow',
            Action: 's3:ListBucket',
            Resource: arn,
            ...(pattern !== '*' && { Condition: { StringLike: { 's3:prefix': pattern } } }),
          },
        ]
      : []),
    {
      Effect: 'Allow',
      Action: [...(reads ? ['kms:Decrypt'] : []), ...(writes ? ['kms:GenerateDataKey'] : [])],
      Resource: '*',
    },
  ];
  return JSON.stringify({ Version: '2012-10-17', Statement: statements });
}
