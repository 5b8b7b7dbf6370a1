import { stored } from '../../client/stored.ts'
import { draftKey } from './form-storage.ts'

/** The filled-in fields; blank ones are left out. */
export type Draft = Record<string, string>

/**
 * The draft of the form with this name. A long form's draft stays on the device until it is sent or discarded, a short
 * one's as long as the tab: personal details must not stay on a shared computer.
 */
export const draftOf = (name: string, { staysOnDevice = false }: { staysOnDevice?: boolean } = {}) => {
  const draft = stored(
    draftKey(name),
    staysOnDevice ? 'device' : 'tab',
    (value): Draft =>
      Object.fromEntries(Object.entries(value as object).filter(([, text]) => typeof text === 'string')),
  )
  /** The draft of an earlier visit; empty if there is none or it cannot be read. */
  const read = () => draft.read() ?? {}
  return { ...draft, read }
}
