import { toast } from '../../ui/toast/toasts.ts'
import { reasonOf } from '../refusal.ts'

/** Takes something back by `undo`, and says whether it was; never throws. */
export const takeBack = async (undo: () => Promise<unknown>): Promise<void> => {
  try {
    await undo()
    toast({ title: 'Undone', variant: 'default' })
  } catch (error) {
    console.warn('Nothing was undone:', error)
    toast({ title: 'Couldn’t undo', description: reasonOf(error), variant: 'destructive' })
  }
}
