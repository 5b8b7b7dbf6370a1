/** A message that a node has said is stored, by its place there. */
export type AcceptedMessage = { sessionId: string; sequence: number; text: string }

/** A message that a node has refused because its chat had ended. */
export type RefusedMessage = { sessionId: string; text: string }

/** A form to which a node has responded with 201. `name` is unique to it. */
export type AcceptedLead = { id: string; name: string }

/** A message as a client was shown it. */
export type ShownMessage = { sequence: number; text: string }

/** An error in what a client was shown. */
export type Flaw = { kind: 'doubled' | 'out of order' | 'refused'; what: string }

/** The responses that the load received, to be compared with the log afterwards. */
export type Ledger = {
  messages: AcceptedMessage[]
  refused: RefusedMessage[]
  leads: AcceptedLead[]
  /** How many times a form was posted again because no response came. */
  repeated: number
  flaws: Flaw[]
}

/** An empty ledger. */
export const openLedger = (): Ledger => ({ messages: [], refused: [], leads: [], repeated: 0, flaws: [] })
