import { type Benchmark, compareLoad, withServers } from './compare.ts';
import { call, type LoadRequest, type Server, startEmu } from './processes.ts';
import { createQueue, send } from './requests.ts';

const ACCOUNT = '123456789012';

/** Creates an administrator of the default account. @returns its access key id */
async function administrator(server: Server): Promise<string> {
  const body = JSON.stringify({ accountId: ACCOUNT, userName: 'bench' });
  const headers = { 'content-type': 'application/json' };
  const answer = await call(server, { path: '/_emulator/iam/create-admin', headers, body });
  return answer.accessKeyId as string;
}

/** Returns the request signed by an IAM user. */
function signedBy(accessKeyId: string, request: LoadRequest): LoadRequest {
  const authorization = request.headers.authorization!.replace('Credential=test/', `Credential=${accessKeyId}/`);
  return { ...request, headers: { ...request.headers, authorization } };
}

/** Cost of policy enforcement for a hot request: the same user and request with and without. */
export const enforcement: Benchmark = (effort) =>
  withServers([startEmu('--enforce-iam'), startEmu()], async (enforcing, open) => {
    let round = 0;
    const prepare = async (server: Server): Promise<LoadRequest[]> => {
      const accessKeyId = await administrator(server);
      return [signedBy(accessKeyId, send(await createQueue(server, `bench-${++round}`)))];
    };
    const figures = await compareLoad(effort, [enforcing!, prepare], [open!, prepare]);
    return [
      { name: 'SendMessage with --enforce-iam beside without', unit: 'req/s', target: { atLeast: 0.7 }, ...figures },
    ];
  });
