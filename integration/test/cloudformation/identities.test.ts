import { manifest as iam } from '@emu/svc-iam/manifest';
import { manifest as sts } from '@emu/svc-sts/manifest';
import { makeCertificate, makeMetadata } from '../../../packages/svc-iam/test/certificates.ts';
import { describeTypes, type Env, typeCase } from './support.ts';

const TAGS = [{ Key: 'a', Value: '1' }];
const READ_ONLY = 'arn:aws:iam::aws:policy/ReadOnlyAccess';
const VIEW_ONLY = 'arn:aws:iam::aws:policy/job-function/ViewOnlyAccess';

const trust = (service: string) => ({
  Version: '2012-10-17',
  Statement: [{ Effect: 'Allow', Principal: { Service: service }, Action: 'sts:AssumeRole' }],
});
const allow = (Action: string) => ({ Version: '2012-10-17', Statement: [{ Effect: 'Allow', Action, Resource: '*' }] });

const POLICIES = [
  { PolicyName: 'one', PolicyDocument: allow('s3:GetObject') },
  { PolicyName: 'two', PolicyDocument: allow('s3:PutObject') },
];

const TRUST = { AssumeRolePolicyDocument: trust('lambda.amazonaws.com') };
const entities = async (env: Env) => ({
  role: (await env.make('AWS::IAM::Role', TRUST)).id,
  role2: (await env.make('AWS::IAM::Role', TRUST)).id,
  user: (await env.make('AWS::IAM::User')).id,
  user2: (await env.make('AWS::IAM::User')).id,
  group: (await env.make('AWS::IAM::Group')).id,
  group2: (await env.make('AWS::IAM::Group')).id,
});

describeTypes(
  [iam, sts],
  [
    typeCase({
      type: 'AWS::IAM::Role',
      deployed: { untold: 'as by AWS' },
      least: () => TRUST,
      most: () => ({
        AssumeRolePolicyDocument: trust('ec2.amazonaws.com'),
        Description: 'described',
        ManagedPolicyArns: [READ_ONLY, VIEW_ONLY],
        MaxSessionDuration: 7200,
        PermissionsBoundary: READ_ONLY,
        Policies: POLICIES,
        Tags: TAGS,
      }),
      other: () => ({ RoleName: 'named', Path: '/a/' }),
    }),
    typeCase({
      type: 'AWS::IAM::User',
      deployed: { untold: 'as by AWS' },
      needs: entities,
      least: () => ({}),
      most: ({ group }) => ({
        Groups: [group],
        LoginProfile: { Password: 'aB3$aB3$aB3$', PasswordResetRequired: true },
        ManagedPolicyArns: [READ_ONLY],
        Path: '/a/',
        PermissionsBoundary: VIEW_ONLY,
        Policies: POLICIES,
        Tags: TAGS,
      }),
      other: () => ({ UserName: 'named' }),
      unread: { LoginProfile: 'the password is kept as a hash' },
    }),
    typeCase({
      type: 'AWS::IAM::Group',
      least: () => ({}),
      most: () => ({ ManagedPolicyArns: [READ_ONLY], Path: '/a/', Policies: POLICIES }),
      other: () => ({ GroupName: 'named' }),
    }),
    typeCase({
      type: 'AWS::IAM::ManagedPolicy',
      needs: entities,
      least: () => ({ PolicyDocument: allow('s3:GetObject') }),
      most: ({ role, user, group }) => ({
        PolicyDocument: allow('s3:PutObject'),
        Roles: [role],
        Users: [user],
        Groups: [group],
      }),
      other: () => ({ ManagedPolicyName: 'named', Path: '/a/', Description: 'described' }),
    }),
    typeCase({
      type: 'AWS::IAM::Policy',
      needs: entities,
      least: ({ role }) => ({ PolicyName: 'p', PolicyDocument: allow('s3:GetObject'), Roles: [role] }),
      most: ({ role, role2, user, group }) => ({
        PolicyName: 'renamed',
        PolicyDocument: allow('s3:PutObject'),
        Roles: [role, role2],
        Users: [user],
        Groups: [group],
      }),
      other: ({ user2 }) => ({ PolicyName: 'another', Users: [user2] }),
    }),
    typeCase({
      type: 'AWS::IAM::RolePolicy',
      needs: entities,
      least: ({ role }) => ({ PolicyName: 'p', RoleName: role, PolicyDocument: allow('s3:GetObject') }),
      most: () => ({ PolicyDocument: allow('s3:PutObject') }),
      other: ({ role2 }) => ({ RoleName: role2 }),
    }),
    typeCase({
      type: 'AWS::IAM::UserPolicy',
      needs: entities,
      least: ({ user }) => ({ PolicyName: 'p', UserName: user, PolicyDocument: allow('s3:GetObject') }),
      most: () => ({ PolicyDocument: allow('s3:PutObject') }),
      other: ({ user2 }) => ({ UserName: user2 }),
    }),
    typeCase({
      type: 'AWS::IAM::GroupPolicy',
      needs: entities,
      least: ({ group }) => ({ PolicyName: 'p', GroupName: group, PolicyDocument: allow('s3:GetObject') }),
      most: () => ({ PolicyDocument: allow('s3:PutObject') }),
      other: ({ group2 }) => ({ GroupName: group2 }),
    }),
    typeCase({
      type: 'AWS::IAM::UserToGroupAddition',
      needs: entities,
      least: ({ group, user }) => ({ GroupName: group, Users: [user] }),
      most: ({ group2, user, user2 }) => ({ GroupName: group2, Users: [user, user2] }),
    }),
    typeCase({
      type: 'AWS::IAM::VirtualMFADevice',
      needs: entities,
      least: ({ user }) => ({ Users: [user] }),
      most: () => ({ Tags: [{ Key: 'a', Value: '1' }] }),
      other: ({ user2 }) => ({ Path: '/team/', Users: [user2], VirtualMfaDeviceName: 'named' }),
    }),
    typeCase({
      type: 'AWS::IAM::InstanceProfile',
      needs: entities,
      least: ({ role }) => ({ Roles: [role] }),
      most: ({ role2 }) => ({ Roles: [role2] }),
      other: () => ({ InstanceProfileName: 'named', Path: '/a/' }),
    }),
    typeCase({
      type: 'AWS::IAM::AccessKey',
      needs: entities,
      least: ({ user }) => ({ UserName: user }),
      most: () => ({ Status: 'Inactive' }),
      other: ({ user2 }) => ({ UserName: user2, Serial: 2 }),
      unread: { Serial: 'a new value only requests another key' },
    }),
    typeCase({
      type: 'AWS::IAM::OIDCProvider',
      least: () => ({ Url: 'https://one.example.com', ThumbprintList: ['0123456789012345678901234567890123456789'] }),
      most: () => ({
        ClientIdList: ['one', 'two'],
        Tags: TAGS,
        ThumbprintList: ['9876543210987654321098765432109876543210'],
      }),
      other: () => ({ Url: 'https://two.example.com' }),
    }),
    typeCase({
      type: 'AWS::IAM::SAMLProvider',
      needs: async () => {
        const [one, two] = [await makeCertificate('one'), await makeCertificate('two')];
        return [makeMetadata(one), makeMetadata(two)] as const;
      },
      least: ([one]) => ({ SamlMetadataDocument: one }),
      most: ([, two]) => ({ SamlMetadataDocument: two, Tags: TAGS }),
      other: () => ({ Name: 'named' }),
      untried: { AssertionEncryptionMode: 'goes with private keys' },
    }),
    typeCase({
      type: 'AWS::IAM::ServerCertificate',
      needs: () => makeCertificate('server'),
      least: ({ cert, private: key }) => ({ CertificateBody: cert, PrivateKey: key }),
      most: () => ({ Path: '/a/', Tags: TAGS }),
      other: ({ cert }) => ({ ServerCertificateName: 'named', CertificateChain: cert }),
      unread: { PrivateKey: 'never returned' },
    }),
    typeCase({
      type: 'AWS::IAM::ServiceLinkedRole',
      least: () => ({ AWSServiceName: 'autoscaling.amazonaws.com' }),
      most: () => ({ Description: 'described' }),
      other: () => ({ CustomSuffix: 'more' }),
    }),
  ],
);
