import type { Located, Timestamp } from './common.ts';

/** An agent with everything that belongs to it. */
export interface BedrockAgentRecord extends Located {
  agentId: string;
  agentName: string;
  agentArn: string;
  agentStatus: string;
  foundationModel?: string;
  createdAt: Timestamp;
  updatedAt: Timestamp;
  aliases: { agentAliasId: string; agentAliasName: string; agentAliasStatus: string; agentVersion?: string }[];
  versions: { agentVersion: string; agentStatus: string; createdAt: Timestamp }[];
  knowledgeBases: {
    knowledgeBaseId: string;
    agentVersion: string;
    knowledgeBaseState: 'ENABLED' | 'DISABLED';
    description?: string;
  }[];
  collaborators: {
    collaboratorId: string;
    collaboratorName: string;
    agentVersion: string;
    /** ARN of the collaborating agent's alias. */
    aliasArn: string;
  }[];
}

/** A recorded call of the agent runtime. */
export interface BedrockAgentRuntimeInvocation extends Located {
  requestId: string;
  operation:
    | 'InvokeAgent'
    | 'InvokeInlineAgent'
    | 'InvokeFlow'
    | 'Retrieve'
    | 'RetrieveAndGenerate'
    | 'CreateInvocation';
  /** Agent, flow or knowledge base; absent for inline agents. */
  resourceId?: string;
  /** Alias of an agent or flow. */
  aliasId?: string;
  sessionId?: string;
  input: unknown;
  /** Absent for a failed call. */
  output?: unknown;
  error?: { code: string; message: string };
  timestamp: Timestamp;
}
