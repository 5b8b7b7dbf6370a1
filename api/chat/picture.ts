import { imageDimensionsFromData } from 'image-dimensions'
import { inNumbers } from '../../events/amount.ts'
import { MAX_PICTURE_PIXELS, MAX_PICTURE_SIDE_PIXELS } from '../../events/chat-file.ts'
import { RequestError } from '../errors.ts'

const MEGAPIXEL = 1_000_000

/**
 * Refuses a picture that would take too much memory to show: a small file can hold many pixels. Reads the size from the
 * file's header and decodes nothing. A file without a size is damaged, and refused too.
 * @throws a RequestError with a sentence for the person who sent it.
 */
export const assertShowable = (picture: Buffer): void => {
  const size = imageDimensionsFromData(picture)
  if (!size?.width || !size.height) {
    throw new RequestError('unsupported_media_type', 'This picture is damaged. Save it again, and send it again.')
  }
  const { width, height } = size
  if (width * height <= MAX_PICTURE_PIXELS && Math.max(width, height) <= MAX_PICTURE_SIDE_PIXELS) return
  throw new RequestError(
    'body_too_large',
    `This picture has ${inNumbers(width)} × ${inNumbers(height)} pixels, which is too many to show. Make it smaller: at most ${MAX_PICTURE_PIXELS / MEGAPIXEL} megapixels, and ${inNumbers(MAX_PICTURE_SIDE_PIXELS)} pixels on its longer side.`,
  )
}
