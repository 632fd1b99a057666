import type { BedrockAgentRecord, BedrockAgentRuntimeInvocation } from '../records/bedrock-agent.ts';
import { json, type MethodsOf, type RoutesOf } from '../table.ts';

/** Control routes of Agents for Bedrock. */
export const bedrockAgent = {
  /**
   * Lists agents with their aliases, versions, knowledge bases and collaborators. `GET /_emulator/bedrock-agent/agents`
   */
  agents: json<{ agents: BedrockAgentRecord[] }>()('GET /_emulator/bedrock-agent/agents'),
};

/** Control routes of the runtime of Agents for Bedrock. */
export const bedrockAgentRuntime = {
  /**
   * Lists the recorded calls of agents, flows and knowledge bases. `GET /_emulator/bedrock-agent-runtime/invocations`
   */
  invocations: json<{ invocations: BedrockAgentRuntimeInvocation[] }>()(
    'GET /_emulator/bedrock-agent-runtime/invocations',
  ),
};

/** Methods for the control routes of Agents for Bedrock. */
export interface BedrockAgentControl extends MethodsOf<typeof bedrockAgent> {}

/** Methods for the control routes of the runtime of Agents for Bedrock. */
export interface BedrockAgentRuntimeControl extends MethodsOf<typeof bedrockAgentRuntime> {}

/** Control routes of Agents for Bedrock by name. */
export type BedrockAgentRoutes = RoutesOf<typeof bedrockAgent | typeof bedrockAgentRuntime>;
