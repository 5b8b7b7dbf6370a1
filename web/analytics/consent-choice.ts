import { stored } from '../client/stored.ts'

export type Choice = 'granted' | 'refused'

/** The choice on this device; a visitor whose device stores none is asked again on the next page. */
export const storedChoice = stored('analytics-choice', 'device', (choice): Choice | undefined =>
  choice === 'granted' || choice === 'refused' ? choice : undefined,
)
