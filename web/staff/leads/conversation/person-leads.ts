import { createContext } from 'react'
import type { Lead } from '../../../../events/lead/wire.ts'

/** All leads of the shown lead's person, for the emails to them; none until they are known. */
export const PersonLeads = createContext<readonly Lead[]>([])
