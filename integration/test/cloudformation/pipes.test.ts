import { manifest as iam } from '@emu/svc-iam/manifest';
import { manifest as pipes } from '@emu/svc-pipes/manifest';
import { manifest as sqs } from '@emu/svc-sqs/manifest';
import { manifest as sts } from '@emu/svc-sts/manifest';
import { describeTypes, typeCase } from './support.ts';

const TRUST = {
  Version: '2012-10-17',
  Statement: [{ Effect: 'Allow', Principal: { Service: 'pipes.amazonaws.com' }, Action: 'sts:AssumeRole' }],
};
const ALL = { Version: '2012-10-17', Statement: [{ Effect: 'Allow', Action: 'sqs:*', Resource: '*' }] };

describeTypes(
  [iam, pipes, sqs, sts],
  [
    typeCase({
      type: 'AWS::Pipes::Pipe',
      needs: async (env) => {
        const queue = async () => (await env.make('AWS::SQS::Queue')).attributes.Arn!;
        const role = await env.make('AWS::IAM::Role', {
          AssumeRolePolicyDocument: TRUST,
          Policies: [{ PolicyName: 'all', PolicyDocument: ALL }],
        });
        return { role: role.attributes.Arn!, source: await queue(), target: await queue(), other: await queue() };
      },
      least: ({ role, source, target }) => ({ RoleArn: role, Source: source, Target: target, DesiredState: 'STOPPED' }),
      most: ({ other }) => ({
        Description: 'what it is for',
        Tags: { a: '1' },
        Target: other,
      }),
      other: () => ({
        Name: 'named',
        SourceParameters: { SqsQueueParameters: { BatchSize: 5 } },
        TargetParameters: { InputTemplate: '{"a": 1}' },
      }),
      untried: {
        Enrichment: 'is a function or another service',
        EnrichmentParameters: 'only with an enrichment',
        KmsKeyIdentifier: 'is a key of KMS',
        LogConfiguration: 'its destination is a log group',
      },
    }),
  ],
);
