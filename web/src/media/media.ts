/** What later nouns show of pictures. */
export { Picture } from './Picture.tsx'
export { notePressed, type RoomPicture, shareRoomPictures } from './roomPictures.ts'
