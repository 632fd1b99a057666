import type { BedrockAgentRecord, BedrockAgentRuntimeInvocation } from '../routes/bedrock-agent.ts';
import { AreaControl } from './area.ts';

/** Control routes of Agents for Bedrock. */
export class BedrockAgentControl extends AreaControl {
  /**
   * Lists agents with their aliases, versions, knowledge bases and collaborators. `GET /_emulator/bedrock-agent/agents`
   */
  agents(): Promise<{ agents: BedrockAgentRecord[] }> {
    return this.transport.json('GET /_emulator/bedrock-agent/agents');
  }
}

/** Control routes of the runtime of Agents for Bedrock. */
export class BedrockAgentRuntimeControl extends AreaControl {
  /**
   * Lists the recorded calls of agents, flows and knowledge bases. `GET /_emulator/bedrock-agent-runtime/invocations`
   */
  invocations(): Promise<{ invocations: BedrockAgentRuntimeInvocation[] }> {
    return this.transport.json('GET /_emulator/bedrock-agent-runtime/invocations');
  }
}
