import { toast } from '../ui/toast/toasts.ts'

/** Copies a text to the clipboard and shows `title`, or the reason for a failure. */
export const copyText = async (text: string, title: string, description?: string) => {
  try {
    await navigator.clipboard.writeText(text)
    toast({ title, ...(description && { description }) })
  } catch (error) {
    console.warn('Nothing was copied:', error)
    const reason = 'The browser did not allow it. It does on https addresses, and on localhost.'
    toast({ title: 'Nothing was copied', description: reason, variant: 'destructive' })
  }
}
