import type { ChatMessage } from '../../../events/chat/chat.ts'
import type { Sql } from '../../../events/stores/connection.ts'

type Account = { id: string; name: string; isRemoved: boolean }

/** The names of staff, and the removed accounts, as a node last read them. */
export class StaffDirectory {
  readonly names = new Map<string, string>()
  readonly #removed = new Set<string>()
  readonly #sql: Sql
  readonly #onRemoved: (staffId: string) => void

  constructor(sql: Sql, onRemoved: (staffId: string) => void) {
    this.#sql = sql
    this.#onRemoved = onRemoved
  }

  /**
   * Reads the accounts again, and reports those removed since the last check. The table decides: an event in the log
   * may be of a removal that did not take effect.
   */
  async refresh(): Promise<void> {
    const accounts = await this.#sql<Account[]>`
      select id, display_name as name, removed_at is not null as "isRemoved" from staff`
    for (const { id, name, isRemoved } of accounts) {
      this.names.set(id, name)
      // a concurrent check may have been first
      if (!isRemoved || this.#removed.has(id)) continue
      this.#removed.add(id)
      this.#onRemoved(id)
    }
  }

  knows(...ids: (string | null | undefined)[]): boolean {
    return ids.every((id) => typeof id !== 'string' || this.names.has(id))
  }

  isRemoved(id: string): boolean {
    return this.#removed.has(id)
  }

  /** The message with the name of the staff member who wrote it, for colleagues. */
  named(message: ChatMessage): ChatMessage {
    const staffName = message.by === undefined ? undefined : this.names.get(message.by)
    return staffName === undefined ? message : { ...message, staffName }
  }
}
