import type { Facts, Scenario, Send } from '../scenario.ts';

const ACCOUNT = '123456789012';
const USER = `arn:aws:iam::${ACCOUNT}:user/known`;
const DOCUMENT = JSON.stringify({
  Version: '2012-10-17',
  Statement: [
    {
      Effect: 'Allow',
      Action: 'sqs:*',
      Resource: '*',
      Condition: { StringEquals: { 'aws:PrincipalTag/team': 'a' } },
    },
  ],
});

const policy = (send: Send) =>
  send('PutUserPolicy', { UserName: 'known', PolicyName: 'more', PolicyDocument: DOCUMENT });

const job = async (send: Send): Promise<Facts> => {
  const { JobId } = await send('GenerateServiceLastAccessedDetails', { Arn: USER });
  return { job: JobId as string };
};
const organizationsJob = async (send: Send): Promise<Facts> => {
  const { JobId } = await send('GenerateOrganizationsAccessReport', { EntityPath: 'o-a1b2c3d4e5/r-f6g7' });
  return { job: JobId as string };
};
const byJob = (facts: Facts) => ({ JobId: facts.job });

const request = () => ({
  Description: 'help',
  Permissions: { PolicyTemplateArn: 'arn:aws:iam::aws:delegation-template/known' },
  RequestorWorkflowId: 'workflow-1',
  NotificationChannel: `arn:aws:sns:us-east-1:${ACCOUNT}:delegations`,
  SessionDuration: 3600,
});
const delegation = async (send: Send): Promise<Facts> => {
  const { DelegationRequestId } = await send('CreateDelegationRequest', request());
  return { delegation: DelegationRequestId as string };
};
const associated = async (send: Send): Promise<Facts> => {
  const facts = await delegation(send);
  await send('AssociateDelegationRequest', byDelegation(facts));
  return facts;
};
const byDelegation = (facts: Facts) => ({ DelegationRequestId: facts.delegation });
const rejected = (send: Send, facts: Facts) => send('RejectDelegationRequest', byDelegation(facts));

type Part = Required<Pick<Scenario, 'before' | 'inputs' | 'reads' | 'observe'>>;

/**
 * IAM's reports, simulations and delegation requests. `PassTime` is not an operation: the client advances the clock.
 */
export const reports: Part = {
  async observe(send) {
    const { DelegationRequests } = await send('ListDelegationRequests', {});
    const report = await send('GetCredentialReport', {}).then(
      ({ Content }) => Content,
      (error: Error) => error.name,
    );
    return [DelegationRequests, report];
  },
  before: {
    AcceptDelegationRequest: associated,
    AssociateDelegationRequest: delegation,
    GetCredentialReport: async (send) => {
      await send('GenerateCredentialReport', {});
      await send('PassTime', { seconds: 2 });
      return {};
    },
    GetDelegationRequest: associated,
    GetHumanReadableSummary: associated,
    GetOrganizationsAccessReport: organizationsJob,
    GetServiceLastAccessedDetails: job,
    GetServiceLastAccessedDetailsWithEntities: job,
    ListDelegationRequests: associated,
    RejectDelegationRequest: associated,
    UpdateDelegationRequest: associated,
  },
  inputs: {
    AcceptDelegationRequest: byDelegation,
    AssociateDelegationRequest: byDelegation,
    CreateDelegationRequest: request,
    GenerateOrganizationsAccessReport: () => ({ EntityPath: 'o-a1b2c3d4e5/r-f6g7' }),
    GenerateServiceLastAccessedDetails: () => ({ Arn: USER }),
    GetContextKeysForCustomPolicy: () => ({ PolicyInputList: [DOCUMENT] }),
    GetContextKeysForPrincipalPolicy: () => ({ PolicySourceArn: USER }),
    GetDelegationRequest: byDelegation,
    GetHumanReadableSummary: (facts) => ({
      EntityArn: `arn:aws:iam::${ACCOUNT}:delegation-request/${facts.delegation}`,
    }),
    GetOrganizationsAccessReport: byJob,
    GetServiceLastAccessedDetails: byJob,
    GetServiceLastAccessedDetailsWithEntities: (facts) => ({ ...byJob(facts), ServiceNamespace: 's3' }),
    ListPoliciesGrantingServiceAccess: () => ({ Arn: USER, ServiceNamespaces: ['sqs'] }),
    RejectDelegationRequest: byDelegation,
    SendDelegationToken: () => ({ DelegationRequestId: '00000000-0000-4000-8000-000000000000' }),
    SimulateCustomPolicy: () => ({ PolicyInputList: [DOCUMENT], ActionNames: ['sqs:SendMessage'] }),
    SimulatePrincipalPolicy: () => ({ PolicySourceArn: USER, ActionNames: ['sqs:SendMessage'] }),
    UpdateDelegationRequest: (facts) => ({ ...byDelegation(facts), Notes: 'please' }),
  },
  reads: {
    // Their results are identified by the returned ids.
    CreateDelegationRequest: undefined,
    GenerateOrganizationsAccessReport: undefined,
    GenerateServiceLastAccessedDetails: undefined,
    GetContextKeysForCustomPolicy: undefined,
    GetContextKeysForPrincipalPolicy: policy,
    // A report has the time of its start.
    GetCredentialReport: async (send) => {
      await send('CreateUser', { UserName: 'fresh' });
      await send('PassTime', { seconds: 5 * 3600 });
      await send('GenerateCredentialReport', {});
      await send('PassTime', { seconds: 2 });
    },
    GetDelegationRequest: rejected,
    GetHumanReadableSummary: rejected,
    GetOrganizationsAccessReport: (send) => send('PassTime', { seconds: 2 }),
    GetServiceLastAccessedDetails: (send) => send('PassTime', { seconds: 2 }),
    GetServiceLastAccessedDetailsWithEntities: (send) => send('PassTime', { seconds: 2 }),
    ListDelegationRequests: rejected,
    ListPoliciesGrantingServiceAccess: policy,
    SimulateCustomPolicy: undefined,
    SimulatePrincipalPolicy: policy,
  },
};
