import type { Page } from 'playwright-core'
import { violationsIn } from '../axe.ts'
import type { TestStaff } from './staff.ts'

export const chatOf = (page: Page) => page.getByRole('region', { name: 'Live chat' })
export const logOf = (page: Page) => page.getByRole('log', { name: 'Conversation' })
export const inputOf = (page: Page) => page.getByPlaceholder('Type your message...')
export const button = (page: Page, name: string) => page.getByRole('button', { name })

/** The texts of the messages that the chat shows. */
export const textsOf = (page: Page) => logOf(page).locator('li > p:first-child').allTextContents()

/** Opens the chat and starts it; returns the id of its session. */
export const start = async (staff: TestStaff, page: Page, name: string) => {
  await button(page, 'Open chat').click()
  await page.getByLabel('Your name').fill(name)
  await button(page, 'Start Chat').click()
  await logOf(page).getByText('Thanks for reaching out!').waitFor()
  return await staff.sessionOf(name)
}

/** Waits until there is a connection for sending. */
export const canSend = (page: Page) =>
  chatOf(page).getByRole('button', { name: 'Send', exact: true, disabled: false }).waitFor()

export const say = async (page: Page, message: string) => {
  await inputOf(page).fill(message)
  await canSend(page)
  await inputOf(page).press('Enter')
}

/** Waits until a message is marked as sent; only the last of a run has a mark. */
export const isSent = (page: Page, message: string) =>
  logOf(page).getByRole('listitem').filter({ hasText: message }).getByText('Sent', { exact: true }).waitFor()

/** Ends the chat, and confirms the question. */
export const end = async (page: Page) => {
  await button(page, 'More actions').click()
  await button(page, 'End chat').click()
  await page.getByRole('alertdialog', { name: 'End this chat?' }).getByRole('button', { name: 'End chat' }).click()
}

/** axe's findings in the chat. */
export const seriousOf = (page: Page) => violationsIn(page, '[data-island=chat]')
