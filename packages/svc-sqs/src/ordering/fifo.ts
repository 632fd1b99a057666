import { Chain } from './chain.ts';
import type { DeliveryOrder } from './delivery-order.ts';
import { MessageGroup, type QueuedMessage } from './queued-message.ts';

/**
 * Order of FIFO queues: each group's messages in order, and none while an earlier one is in flight or delayed. Groups
 * take turns; a receive takes as many messages of a group as possible.
 */
export class FifoOrder implements DeliveryOrder {
  private readonly groups = new Map<string, MessageGroup>();
  /** Groups with an available message. */
  private readonly open = new Chain<MessageGroup>();

  get available(): boolean {
    return this.open.first !== undefined;
  }

  enter(message: QueuedMessage): void {
    const id = message.message.groupId ?? '';
    let group = this.groups.get(id);
    if (!group) {
      group = new MessageGroup(id);
      this.groups.set(id, group);
    }
    message.group = group;
    if (message.state === 'inFlight') group.inFlight.push(message);
    else group.waiting.append(message);
    this.refresh(group);
  }

  makeReady(message: QueuedMessage): void {
    this.refresh(message.group!);
  }

  take(limit: number): QueuedMessage[] {
    const taken: QueuedMessage[] = [];
    for (let group = this.open.first; group && taken.length < limit; group = this.open.first) {
      const { lockedFrom, waiting } = group;
      for (let next = waiting.first; next && taken.length < limit; next = waiting.first) {
        if (next.state !== 'ready' || next.order >= lockedFrom) break;
        waiting.remove(next);
        group.inFlight.push(next);
        taken.push(next);
      }
      this.open.remove(group);
    }
    return taken;
  }

  giveBack(message: QueuedMessage): void {
    const group = message.group!;
    this.release(group, message);
    // Messages in flight came from the front of the group, so this loop is short.
    let before: QueuedMessage | undefined;
    for (let next = group.waiting.first; next && next.order < message.order; next = next.next) before = next;
    group.waiting.insertAfter(before, message);
    this.refresh(group);
  }

  leave(message: QueuedMessage): void {
    const group = message.group!;
    if (group.waiting.has(message)) group.waiting.remove(message);
    else this.release(group, message);
    this.refresh(group);
  }

  private release(group: MessageGroup, message: QueuedMessage): void {
    const index = group.inFlight.indexOf(message);
    if (index >= 0) group.inFlight.splice(index, 1);
  }

  private refresh(group: MessageGroup): void {
    const listed = this.open.has(group);
    if (group.open) {
      if (!listed) this.open.append(group);
      return;
    }
    if (listed) this.open.remove(group);
    if (!group.waiting.first && !group.inFlight.length) this.groups.delete(group.id);
  }
}
