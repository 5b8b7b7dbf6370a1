import { createContext } from 'react'
import type { Lead } from '../../../events/lead/wire.ts'

/** All leads of the person whose lead is shown, for what is written to them; none until these are known. */
export const PersonLeads = createContext<readonly Lead[]>([])
